import { parseHex, toHex } from '@isotherm/codecs/bytes/hex'
import { deviceProfile } from '@isotherm/contract/device-profile'
import { expect, test } from 'vitest'
import { decodeByProfile } from './decode-by-profile.ts'
import { encodeCommand } from './encode-by-profile.ts'
import { shippedProfiles } from './shipped-profiles.ts'

const profileOf = (id: string) => {
  const profile = shippedProfiles.find((each) => each.id === id)
  if (profile === undefined) throw new Error(`no profile ${id}`)
  return profile
}
const valuesOf = (id: string, hex: string, port = 85) => {
  const outcome = decodeByProfile(profileOf(id), parseHex(hex) ?? new Uint8Array(), { port })
  if (outcome.kind !== 'readings') return outcome
  return Object.fromEntries(outcome.readings.map(({ metric, value }) => [metric, value]))
}
const DEV_EUI = '24e124791b012345'

// Samples of the makers: Milesight-IoT/SensorDecoders at f1b3bf1, em300-th and wt101; Dragino LHT65 user manual.
test('reads the published samples of a room sensor, a radiator valve and a sensor of another maker', () => {
  expect(valuesOf('room-sensor-milesight-em300', '01755C0367340104 6865')).toEqual({ 'temp.room': 30.8 })
  expect(valuesOf('valve-milesight-wt101', '017561 04672C01 03670A01 059264 09900000 0B900000')).toEqual({
    'valve.opening': 100,
  })
  expect(valuesOf('room-sensor-dragino-lht65', 'CBF60B0D0376010ADD7FFF', 2)).toEqual({
    'temp.room': 28.29,
    'bat.v': expect.closeTo(3.062, 9),
  })
})

test('reads temperatures below zero, and nothing behind a head that it does not know', () => {
  expect(valuesOf('room-sensor-milesight-em300', '0367CDFF')).toEqual({ 'temp.room': -5.1 })
  const unknown = { kind: 'no-readings', reason: 'other-data' }
  expect(valuesOf('room-sensor-milesight-em300', 'AABB010367CDFF')).toEqual(unknown)
  expect(valuesOf('room-sensor-milesight-em300', '036734')).toEqual(unknown)
  expect(valuesOf('room-sensor-milesight-em300', '01755C')).toEqual(unknown)
  expect(valuesOf('room-sensor-dragino-lht65', 'CBF60B0D0376010ADD7FFF', 5)).toEqual(unknown)
  expect(valuesOf('room-sensor-dragino-lht65', 'CBF60B0D0376010ADD7FFF00', 2)).toEqual(unknown)
})

test('writes an opening as the valve expects it, and refuses what a byte cannot hold', () => {
  const valve = profileOf('valve-milesight-wt101')
  const write = (value: number) => {
    const bytes = encodeCommand(valve, { address: DEV_EUI, sequence: 0 }, 'opening', value)
    return bytes && toHex(bytes)
  }
  expect(write(45)).toBe('FFB300FFB42D')
  expect(write(300)).toBeUndefined()
  expect(encodeCommand(valve, { address: DEV_EUI, sequence: 0 }, 'head', 45)).toBeUndefined()
})

test('a reading of bytes that no item has is refused', () => {
  const { bus, ...rest } = profileOf('room-sensor-milesight-em300')
  const outcome = deviceProfile.safeParse({ ...rest, bus: { ...bus, items: [{ head: '0367', bytes: 1 }] } })
  expect(outcome.error?.issues.map(({ path }) => path.join('.'))).toEqual(['bus.readings.0.head'])
})
