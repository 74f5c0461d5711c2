import { expect, test } from 'vitest'
import { toRoleName } from './role-names.ts'

test('a role of a new installation has a name in each language', () => {
  expect(toRoleName('en', '运行调度')).toBe('Dispatcher')
  expect(toRoleName('zh', '运行调度')).toBe('运行调度')
  expect(toRoleName('en', '安全管理员')).toBe('Security administrator')
})

test('a role that an administrator named keeps this name', () => {
  expect(toRoleName('en', '夜班调度')).toBe('夜班调度')
})
