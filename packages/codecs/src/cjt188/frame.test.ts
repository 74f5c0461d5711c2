import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bytesOf, withSum } from '../frames.testkit.ts'
import { encodeCjtRead, toCjtAddress } from './encode.ts'
import { findCjt } from './frame.ts'

const address = toCjtAddress('22220000000001')
if (address === undefined) throw new Error('no address')
const request = encodeCjtRead({ address, sequence: 7 })

it('finds a frame after wake-up bytes, noise and an incomplete frame', () => {
  for (const before of ['', 'FEFEFEFE', '00112233', '6820', '6868FF']) {
    const bytes = Uint8Array.of(...(before === '' ? [] : bytesOf(before)), ...request, 0xff)
    expect(findCjt(bytes)).toMatchObject({
      kind: 'frame',
      preamble: before === 'FEFEFEFE' ? 4 : 0,
      type: 0x20,
      meterKind: 'heat',
      address: '22220000000001',
      function: 'readData',
      isReply: false,
      data: Uint8Array.of(0x1f, 0x90, 7),
    })
  }
})

it('reports why bytes are no frame', () => {
  expect(findCjt(new Uint8Array())).toEqual({ kind: 'none' })
  expect(findCjt(request.subarray(0, -1))).toEqual({ kind: 'incomplete', start: 0, missing: 1 })
  expect(findCjt(Uint8Array.of(...request.subarray(0, -1), 0x17))).toEqual({ kind: 'bad-end', start: 0 })
  const sum = request.at(-2) ?? 0
  expect(findCjt(Uint8Array.of(...request.subarray(0, -2), sum + 1, 0x16))).toEqual({
    kind: 'bad-sum',
    start: 0,
    expected: sum,
    found: sum + 1,
  })
})

it('keeps addresses that are no decimal numbers, and the bits of the control byte', () => {
  expect(findCjt(withSum('68 25 FFFFF1 12345678 A1 00'))).toMatchObject({
    address: '78563412F1FFFF',
    meterKind: 'heat',
    isReply: true,
    hasMore: true,
    isRefusal: false,
  })
  expect(findCjt(withSum('68 40 01000000000000 D5 00'))).toMatchObject({
    function: 'writeAddress',
    isRefusal: true,
    meterKind: 'other',
  })
  // A meter of any type.
  expect(findCjt(withSum('68 AA AAAAAAAAAAAAAA 03 03 810A01'))).toMatchObject({
    type: 0xaa,
    function: 'readAddress',
    meterKind: 'other',
  })
  expect(findCjt(withSum('68 A9 AAAAAAAAAAAAAA 03 03 810A01'))).toEqual({ kind: 'none' })
})

it('accepts no frame of which one byte is wrong', () => {
  fc.assert(
    fc.property(fc.nat(request.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const wrong = request.map((byte, place) => (place === at ? byte + by : byte))
      expect(findCjt(wrong).kind).not.toBe('frame')
    }),
  )
})
