import { expect, test } from 'vitest'
import { hashPassword, isPassword, toClientHash } from './passwords.ts'

test('a password matches its own hash only, and no password matches an account without one', async () => {
  const stored = await hashPassword(toClientHash('correct'))
  expect(await isPassword(stored, toClientHash('correct'))).toBe(true)
  expect(await isPassword(stored, toClientHash('wrong'))).toBe(false)
  expect(await isPassword(undefined, toClientHash('correct'))).toBe(false)
})

test('clients send the SHA-256 of a password as lower-case hex', () => {
  expect(toClientHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
