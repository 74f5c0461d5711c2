import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toReadRequest } from './cjt188-frame.ts'
import { findRequest } from './cjt188-request.ts'

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
const request = toReadRequest('22220000000001', 7)

it('finds a request after wake-up bytes, noise and an incomplete frame', () => {
  const found = {
    type: 0x20,
    address: '22220000000001',
    control: 1,
    identifier: [0x1f, 0x90],
    sequence: 7,
  }
  for (const before of ['', 'FEFEFEFE', '00112233', '6820', '6868']) {
    expect(findRequest(Uint8Array.from([...bytesOf(before), ...request, 0xff]))).toEqual(found)
  }
})

it('finds no request in a reply, in half a frame, or in a frame with a wrong byte', () => {
  expect(findRequest(new Uint8Array())).toBeUndefined()
  expect(findRequest(bytesOf('68200100000000222283030A8107E516'))).toBeUndefined()
  expect(findRequest(request.subarray(0, -1))).toBeUndefined()
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: request.length - 1 }),
      fc.integer({ min: 1, max: 255 }),
      (at, by) => {
        const wrong = request.map((byte, place) => (place === at ? (byte + by) & 0xff : byte))
        expect(findRequest(wrong)).toBeUndefined()
      },
    ),
  )
})

it('accepts any bytes without an error', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => void findRequest(bytes)))
})
