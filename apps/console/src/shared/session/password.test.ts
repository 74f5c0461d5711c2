import { expect, test } from 'vitest'
import { hashPassword } from './password.ts'

test('a password is hashed as UTF-8 with SHA-256 into lower-case hex', () => {
  expect(hashPassword('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(hashPassword('二网平衡')).toMatch(/^[0-9a-f]{64}$/)
  expect(hashPassword('二网平衡')).not.toBe(hashPassword('二网平行'))
})
