import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toHex } from '../bytes/hex.ts'
import { bytesOf, toLongFrame } from '../frames.testkit.ts'
import { decodeMbus } from './decode.ts'
import {
  encodeApplicationReset,
  encodeBaudRate,
  encodeReqUd1,
  encodeReqUd2,
  encodeRspUd,
  encodeSelect,
  encodeSetAddress,
  encodeSndNke,
  mbusAck,
} from './encode.ts'
import { findMbus, type MbusFrame } from './frame.ts'
import { isSelected, narrow } from './secondary-address.ts'

const find = (bytes: Uint8Array): MbusFrame => {
  const found = findMbus(bytes)
  if ('function' in found || found.kind === 'ack') return found
  throw new Error(found.kind)
}

it('reads the kinds of frames and the bits of the control byte', () => {
  expect(find(mbusAck())).toEqual({ kind: 'ack', start: 0, length: 1 })
  expect(find(encodeSndNke(5))).toMatchObject({
    kind: 'short',
    function: 'snd-nke',
    address: 5,
    isRequest: true,
  })
  expect(find(encodeReqUd2(5, false))).toMatchObject({ function: 'req-ud2', fcb: false, control: 0x5b })
  expect(find(encodeReqUd2(5, true))).toMatchObject({ function: 'req-ud2', fcb: true, control: 0x7b })
  expect(find(encodeReqUd1(5, true))).toMatchObject({ function: 'req-ud1', fcb: true })
  expect(find(toLongFrame('38 05 72'))).toMatchObject({
    kind: 'control',
    function: 'rsp-ud',
    accessDemand: true,
    isBusy: true,
    fcb: undefined,
  })
})

it('reports why bytes are no frame', () => {
  const frame = toLongFrame('08 05 71 42')
  expect(findMbus(new Uint8Array())).toEqual({ kind: 'none' })
  expect(findMbus(frame.subarray(0, -1))).toEqual({ kind: 'incomplete', start: 0, missing: 1 })
  expect(findMbus(bytesOf('68 04 05 68 08'))).toEqual({ kind: 'bad-length', start: 0 })
  expect(findMbus(Uint8Array.of(...frame.subarray(0, -1), 0x17))).toEqual({ kind: 'bad-end', start: 0 })
  expect(findMbus(frame.with(-2, 0))).toMatchObject({ kind: 'bad-sum', expected: 0xc0, found: 0 })
  expect(find(Uint8Array.of(0x68, 0x10, ...frame))).toMatchObject({ kind: 'long', start: 2 })
})

it('encodes selection, addresses, reset and baud rate', () => {
  expect(toHex(encodeSelect({ id: '1234FFFF', manufacturer: 'KAM' }) ?? new Uint8Array())).toBe(
    '680B0B6853FD52FFFF34122D2CFFFF3D16',
  )
  expect(encodeSelect({ id: '12' })).toBeUndefined()
  expect(encodeSelect({ id: '12345678', manufacturer: 'kam' })).toBeUndefined()
  expect(toHex(encodeSetAddress(254, 8) ?? new Uint8Array())).toBe('6806066853FE51017A082516')
  expect([0, 251, 1.5].map((next) => encodeSetAddress(1, next))).toEqual([undefined, undefined, undefined])
  expect(toHex(encodeApplicationReset(254, 0x10))).toBe('6804046853FE5010B116')
  expect(toHex(encodeBaudRate(5, 2400) ?? new Uint8Array())).toBe('680303685305BB1316')
  expect(encodeBaudRate(5, 1234)).toBeUndefined()
})

it('selects by digits, and narrows a pattern until one meter is left', () => {
  const meter = { id: '12345678', manufacturer: 'KAM', version: 1, medium: 4, mediumName: 'heat-outlet' }
  expect(isSelected({ id: 'FFFFFFFF' }, meter)).toBe(true)
  expect(isSelected({ id: '1234FFFF', manufacturer: 'KAM', medium: 4 }, meter)).toBe(true)
  expect(isSelected({ id: '1234FFFF', manufacturer: 'SEN' }, meter)).toBe(false)
  expect(isSelected({ id: '2FFFFFFF' }, meter)).toBe(false)
  const [first, , third] = narrow({ id: '1FFFFFFF' })
  expect([first?.id, third?.id]).toEqual(['10FFFFFF', '12FFFFFF'])
  expect(narrow({ id: '12345678' })).toEqual([])
})

it('reads back what a simulator sends', () => {
  fc.assert(
    fc.property(fc.integer({ min: -999_999, max: 9_999_999 }), fc.boolean(), (whole, more) => {
      const frame = encodeRspUd(
        7,
        { id: '12345678', manufacturer: 'KAM', version: 1, medium: 4 },
        9,
        [{ vib: [0x06], bytes: 4, whole }],
        more,
      )
      const data = decodeMbus(find(frame ?? new Uint8Array()))
      expect(data).toMatchObject({
        kind: 'telegram',
        moreFollows: more,
        records: [{ quantity: 'energy', value: { number: whole * 1000 } }],
      })
    }),
  )
})
