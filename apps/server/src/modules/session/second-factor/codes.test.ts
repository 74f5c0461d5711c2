import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { toCode } from './authenticator.testkit.ts'
import {
  createRecoveryCodes,
  findStep,
  hashRecoveryCode,
  isOneTimeCode,
  toEnrolment,
  toPlainCode,
} from './codes.ts'

/** Key of the examples of RFC 6238, appendix B. */
const rfc = Buffer.from('12345678901234567890')

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
])('the code of RFC 6238 at %i s is %s, and is accepted one step around it', (atS, code) => {
  const step = Math.floor(atS / 30)
  const { secret } = toEnrolment(rfc, 'li')
  expect(toCode(secret, atS * 1000)).toBe(code)
  const startS = step * 30
  for (const nowS of [startS, startS + 29, startS - 1, startS + 30]) {
    expect(findStep(rfc, code, nowS * 1000)).toBe(step)
  }
  for (const nowS of [startS - 31, startS + 60]) expect(findStep(rfc, code, nowS * 1000)).toBeUndefined()
})

test('the address for the QR code names the product and the account', () => {
  const { url, secret } = toEnrolment(rfc, '王 工')
  expect(url).toContain(`otpauth://totp/Isotherm:${encodeURIComponent('王 工')}?`)
  expect(url).toContain(`secret=${secret}`)
})

test('recovery codes differ, and are recognised however they are typed', () => {
  const codes = createRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/)
  const [code = ''] = codes
  expect(hashRecoveryCode(` ${code.toLowerCase().replaceAll('-', ' ')}`)).toEqual(hashRecoveryCode(code))
})

test('a code of six digits is one of the app, and any other one a recovery code', () => {
  expect(isOneTimeCode(toPlainCode(' 081-804 '))).toBe(true)
  for (const code of ['08180', '0818045', 'A081804', '081804A', 'ABCDEF'])
    expect(isOneTimeCode(code)).toBe(false)
})

test('a recovery code is stored as the hash of its capitals, as by earlier versions', () => {
  expect(toPlainCode('ab2c-d3ef ')).toBe('AB2CD3EF')
  const sha256 = createHash('sha256').update('AB2CD3EF').digest()
  expect(hashRecoveryCode('ab2c-d3ef')).toEqual(sha256)
})
