import { expect, test } from 'vitest'
import { toEntityText, toFieldText } from './change-text.ts'

test('entities and fields of the operation log have names in both languages', () => {
  expect([toEntityText('zh', 'role-code'), toEntityText('en', 'role-code')]).toEqual([
    '角色代码',
    'role code',
  ])
  expect([toFieldText('zh', 'min_opening_pct'), toFieldText('zh', 'minOpeningPct')]).toEqual([
    '最小开度',
    '最小开度',
  ])
})

test('a key without a name is shown as it is', () => {
  expect([toEntityText('zh', 'later'), toFieldText('en', 'constructor')]).toEqual(['later', 'constructor'])
})
