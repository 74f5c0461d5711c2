import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addPowerOfTen, shiftPoint, toDecimalText, toFloat32Text } from './decimal.ts'
import { parseHex, toHex } from './hex.ts'

it('writes every transmitted digit, and no float noise', () => {
  expect(toDecimalText(54321, -3)).toBe('54.321')
  expect(toDecimalText(0, -2)).toBe('0.00')
  expect(toDecimalText(-5, -3)).toBe('-0.005')
  expect(toDecimalText(35, 3)).toBe('35000')
  expect(toDecimalText(0, 3)).toBe('0')
  expect(toDecimalText(18446744073709551615n, -1)).toBe('1844674407370955161.5')
})

it('moves the point and adds a power of ten exactly', () => {
  expect(shiftPoint('-12.5', 2)).toBe('-1250')
  expect(shiftPoint('1.5e-7', 0)).toBe('0.00000015')
  expect(addPowerOfTen('0.005', -3)).toBe('0.006')
  expect(addPowerOfTen('-1', 0)).toBe('0')
})

it('reads a 32-bit float back from its shortest text', () => {
  expect(toFloat32Text(Math.fround(21.536703))).toBe('21.536703')
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(Math.fround(Number(toFloat32Text(value))) === value).toBe(true)
    }),
  )
})

it('reads hexadecimal as people paste it, and refuses the rest', () => {
  expect(parseHex('68 0x20, AA:bb-0c\n')).toEqual(Uint8Array.of(0x68, 0x20, 0xaa, 0xbb, 0x0c))
  expect(['', '6', '68 2', 'xyz', '68G0'].map(parseHex)).toEqual(new Array(5).fill(undefined))
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      expect(parseHex(toHex(bytes))).toEqual(bytes)
    }),
  )
})
