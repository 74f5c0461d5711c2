import { expect, test } from 'vitest'
import { readLogins } from './read-logins.ts'

test('the logins of an exported list are read in either language, also with commas in names', () => {
  const csv = [
    '\uFEFF名称,序列号,用户名,客户端标识,密码,上行主题,下行主题',
    '"一号站, ""东"" 区",C-1,demo/C-1,demo/C-1,secret-1,hx/v1/demo/C-1/up,hx/v1/demo/C-1/down',
    'C-2,C-2,demo/C-2,demo/C-2,secret-2,hx/v1/demo/C-2/up,hx/v1/demo/C-2/down',
    '',
  ].join('\r\n')
  expect(readLogins(csv)).toEqual([
    { username: 'demo/C-1', password: 'secret-1' },
    { username: 'demo/C-2', password: 'secret-2' },
  ])
})

test('a file that is no such list has no logins', () => {
  expect(readLogins('a,b\n1,2\n')).toEqual([])
})
