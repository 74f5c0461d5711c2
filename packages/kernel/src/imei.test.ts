import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isImei, toImei } from './imei.ts'

test('the example of 3GPP TS 23.003 has the check digit 7', () => {
  expect(toImei('26053179311383')).toBe('260531793113837')
})

test.each([
  '',
  '49015420323751',
  '490154203237519',
  '4901542032375180',
  '49015420323751x',
  'x260531793113837',
  '260531793113837x',
  '0260531793113837',
])('%s is not an IMEI', (text) => {
  expect(isImei(text)).toBe(false)
})

test('14 digits become an IMEI in which any one wrong digit shows', () => {
  const digits = fc.stringMatching(/^\d{14}$/)
  fc.assert(
    fc.property(digits, fc.nat({ max: 14 }), fc.integer({ min: 1, max: 9 }), (start, at, off) => {
      const imei = toImei(start)
      expect(isImei(imei)).toBe(true)
      const wrong = [...imei].map((sign, index) => (index === at ? String((Number(sign) + off) % 10) : sign))
      expect(isImei(wrong.join(''))).toBe(false)
    }),
  )
})

test.each(['123', 'x26053179311383', '26053179311383x'])('%s does not start an IMEI', (text) => {
  expect(() => toImei(text)).toThrow(RangeError)
})
