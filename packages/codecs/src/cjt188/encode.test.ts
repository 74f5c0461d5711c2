import { expect, it } from 'vitest'
import { toHex } from '../bytes/hex.ts'
import { decodeCjt } from './decode-data.ts'
import {
  EVERY_METER,
  encodeCjtAddressReply,
  encodeCjtClock,
  encodeCjtHeatReply,
  encodeCjtOpening,
  encodeCjtRead,
  encodeCjtReadAddress,
  encodeCjtRefusal,
  encodeCjtValve,
  encodeCjtValveReply,
  toCjtAddress,
} from './encode.ts'
import { findCjt } from './frame.ts'

const address = toCjtAddress('22220000000001') ?? EVERY_METER
const target = { address, sequence: 18 }
const HOUR_MS = 3_600_000

it('writes each value at its place in the standard, low digits first, and rolls over at a million', () => {
  const frame = encodeCjtHeatReply(target, {
    settlementKwh: 12_000,
    energyKwh: 1_012_345.67,
    powerKw: 34.7,
    flowM3h: 4.3215,
    volumeM3: 876.54,
    supplyTempC: 45.25,
    returnTempC: 37.5,
    hours: 61,
    // 20 November 2025, 16:00 in London, midnight in Beijing.
    clockMs: 1_763_654_400_000,
    zoneMs: 8 * HOUR_MS,
    status: 0,
  })
  const parts = [
    '6820',
    '01000000002222',
    '812E1F9012',
    '0000200105',
    '6745230105',
    '7034000017',
    '1532040035',
  ]
  const rest = ['547608002C', '254500', '503700', '610000', '00000021112520', '0000', '3A16']
  expect(toHex(frame)).toBe([...parts, ...rest].join(''))
})

it('sends orders as the published examples do', () => {
  const valve = { address: toCjtAddress('78331505900569') ?? EVERY_METER, type: 0x10, sequence: 1 }
  expect(toHex(encodeCjtValve(valve, 'open'))).toBe('6810690590051533780404A01701555016')
  expect(toHex(encodeCjtValve({ ...valve, order: 'little' }, 'close')).slice(22, 30)).toBe('17A00199')
  expect(toHex(encodeCjtReadAddress({ address: EVERY_METER, sequence: 5 })).slice(0, 28)).toBe(
    '6820AAAAAAAAAAAAAA03030A8105',
  )
  expect(toHex(encodeCjtOpening(target, 120.4, 1)).slice(18, 32)).toBe('0405BB1F126401')
})

it('sends what its decoder reads', () => {
  const decode = (frame: Uint8Array) => {
    const found = findCjt(frame)
    return found.kind === 'frame' ? decodeCjt(found) : found
  }
  expect(decode(encodeCjtRead(target, 0xd120))).toMatchObject({
    kind: 'bare',
    identifier: 'D120',
    sequence: 18,
  })
  expect(decode(encodeCjtClock(target, 1_763_654_400_000, 8 * HOUR_MS))).toMatchObject({
    fields: [{ name: 'clock', value: { text: '2025-11-21T00:00:00' } }],
  })
  expect(decode(encodeCjtAddressReply(target))).toMatchObject({ kind: 'bare', identifier: '810A' })
  expect(decode(encodeCjtRefusal(target, 4, 0x0102))).toEqual({
    kind: 'refusal',
    sequence: 18,
    status: '0102',
  })
  expect(decode(encodeCjtValveReply(target, 0x0300))).toMatchObject({
    fields: [{ name: 'status' }, { name: 'valve', value: { code: 'fault' } }, { name: 'battery' }],
  })
})

it('takes 14 hexadecimal digits as an address and nothing else', () => {
  expect(toCjtAddress('1122334455667f')).toBe('1122334455667F')
  expect(['123', '1122334455667G', ''].map(toCjtAddress)).toEqual([undefined, undefined, undefined])
})
