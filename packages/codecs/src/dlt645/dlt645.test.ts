import { expect, it } from 'vitest'
import { toHex } from '../bytes/hex.ts'
import { bytesOf, withSum } from '../frames.testkit.ts'
import { decodeDlt, encodeDltRead, findDlt } from './frame.ts'

/** A frame whose data bytes are stated without the offset of 33. */
function frame(head: string, data: string): Uint8Array {
  const moved = toHex(bytesOf(data).map((byte) => byte + 0x33))
  const length = (moved.length / 2).toString(16).padStart(2, '0')
  return withSum(`68 01 00 00 00 00 00 68 ${head} ${length} ${moved}`)
}

function decode(bytes: Uint8Array) {
  const found = findDlt(bytes)
  return found.kind === 'frame' ? decodeDlt(found) : found
}

it('reads energy and voltages of 2007, and the sign of a power', () => {
  expect(findDlt(Uint8Array.of(0xfe, 0xfe, ...frame('91', '00 00 01 00 56 34 12 00')))).toMatchObject({
    address: '000000000001',
    isReply: true,
    standard: '2007',
  })
  expect(decode(frame('91', '00 00 01 00 56 34 12 00'))).toEqual({
    kind: 'values',
    identifier: '00010000',
    fields: [
      { name: 'electric-energy', value: { kind: 'number', text: '1234.56', number: 1234.56 }, unit: 'kWh' },
    ],
  })
  expect(decode(frame('91', '00 FF 01 02 01 22 02 22 03 22'))).toMatchObject({
    fields: [
      { name: 'voltage-1', value: { text: '220.1' } },
      { value: { text: '220.2' } },
      { value: { text: '220.3' } },
    ],
  })
  expect(decode(frame('91', '00 00 03 02 45 23 81'))).toMatchObject({
    fields: [{ value: { number: -1.2345 } }],
  })
})

it('reads 1997, requests, refusals and unknown identifiers', () => {
  expect(decode(frame('81', '10 90 56 34 12 00'))).toMatchObject({
    identifier: '9010',
    fields: [{ value: { text: '1234.56' } }],
  })
  expect(decode(encodeDltRead('000000000001', '00010000') ?? new Uint8Array())).toEqual({
    kind: 'request',
    identifier: '00010000',
    fields: [],
  })
  expect(toHex(encodeDltRead('000000000001', '00010000') ?? new Uint8Array())).toBe(
    '6801000000000068110433333433B316',
  )
  expect(encodeDltRead('1', '00010000')).toBeUndefined()
  expect(decode(frame('D1', '02'))).toEqual({ kind: 'refusal', code: 2 })
  expect(decode(frame('91', '01 02 03 04 05'))).toEqual({
    kind: 'unknown',
    identifier: '04030201',
    hex: '05',
  })
  expect(decode(frame('91', '01 02 03 04 05 06'))).toMatchObject({ hex: '0506' })
  expect(decode(frame('91', '01 02'))).toEqual({ kind: 'bad', reason: 'too-short' })
})

it('takes no other function for a read', () => {
  // The address of an only meter, its answer, and the broadcast of the time.
  const request = withSum('68 AA AA AA AA AA AA 68 13 00')
  expect(findDlt(request)).toMatchObject({ function: 'readAddress', isReply: false })
  expect(decode(request)).toEqual({ kind: 'other', hex: '' })
  expect(decode(frame('93', '01 00 00 00 00 00'))).toEqual({ kind: 'other', hex: '010000000000' })
  expect(findDlt(frame('08', '00 30 14 08 01 26'))).toMatchObject({ function: 'synchronise' })
  expect(findDlt(frame('1C', '00'))).toMatchObject({ function: 'other' })
})

it('reports why bytes are no frame', () => {
  const good = frame('91', '00 00 01 00 56 34 12 00')
  expect(findDlt(good.subarray(0, -1))).toMatchObject({ kind: 'incomplete', missing: 1 })
  expect(findDlt(good.with(-2, 0))).toMatchObject({ kind: 'bad-sum' })
  expect(findDlt(good.with(-1, 0x17))).toEqual({ kind: 'bad-end', start: 0 })
  expect(findDlt(bytesOf('68 20'))).toEqual({ kind: 'none' })
})

it('reads reactive energy, apparent power, tariffs and the state of the meter', () => {
  const linesOf = (data: string) => {
    const read = decode(frame('91', data))
    if (read.kind !== 'values') throw new Error(read.kind)
    return read.fields.map(
      ({ name, value, unit }) => `${name} ${'text' in value ? value.text : value.kind} ${unit}`,
    )
  }
  expect(linesOf('00 00 03 00 45 23 01 00')).toEqual(['reactive-energy-1 123.45 kvarh'])
  expect(linesOf('00 00 04 00 45 23 01 80')).toEqual(['reactive-energy-2 -123.45 kvarh'])
  expect(linesOf('00 00 05 02 39 83 01')).toEqual(['apparent-power 1.8339 kVA'])
  expect(linesOf('00 02 01 00 10 00 00 00')).toEqual(['electric-energy-tariff-2 0.10 kWh'])
  expect(linesOf('07 00 80 02 45 82')).toEqual(['meter-temperature -24.5 °C'])
  expect(linesOf('08 00 80 02 62 03')).toEqual(['clock-battery 3.62 V'])
})
