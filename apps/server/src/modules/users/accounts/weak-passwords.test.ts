import { expect, test } from 'vitest'
import { toClientHash } from '../../session/index.ts'
import { isWeakPassword } from './weak-passwords.ts'

test.each(['', '123456', 'Password1', 'zhaowei', 'zhaowei123', 'ZHAOWEI!', 'ZhaoWei@123', 'ZhaoWeiZhaoWei'])(
  '“%s” is a weak password of the account ZhaoWei',
  (password) => {
    expect(isWeakPassword('ZhaoWei', toClientHash(password))).toBe(true)
  },
)

test.each(['zhaowei77', 'a password that nobody guesses'])('“%s” is not', (password) => {
  expect(isWeakPassword('ZhaoWei', toClientHash(password))).toBe(false)
})
