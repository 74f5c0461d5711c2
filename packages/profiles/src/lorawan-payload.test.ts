import { parseHex, toHex } from '@isotherm/codecs/bytes/hex'
import { deviceProfile } from '@isotherm/contract/device-profile'
import { expect, test } from 'vitest'
import { decodeByProfile } from './decode-by-profile.ts'
import { closesByItself, encodeCommand, encodeTimedOpening } from './encode-by-profile.ts'
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

test('reads no value from bytes that mean something else in another mode of the device', () => {
  const unknown = { kind: 'no-readings', reason: 'other-data' }
  // FF: the result of a delayed order, not a state of the valve.
  expect(valuesOf('valve-milesight-uc511', '01755C 0301FF 050101')).toEqual(unknown)
  // 09: the first two bytes are another sensor's temperature. 0F: an identification. Bit 6: an old value.
  const lht65 = (head: string, mode: string) =>
    valuesOf('room-sensor-dragino-lht65', `${head} 0B0D 0376 ${mode} 65F0A1B2`, 2)
  expect(lht65('0BF6', '89')).toEqual({ 'temp.room': 28.29 })
  // Bit 7: newer firmware sends a stored record, whose first two bytes are the other sensor's.
  expect(lht65('0992', '81')).toEqual({ 'temp.room': 28.29 })
  expect(lht65('CBF6', '0F')).toEqual({ 'bat.v': expect.closeTo(3.062, 9) })
  expect(lht65('CBF6', '41')).toEqual(unknown)
})

test('reads the temperature behind what a room sensor says about itself and behind stored values', () => {
  const stored = '20CE 9E744663 E803 64 00'
  expect(valuesOf('room-sensor-milesight-em300', `FF0BFF FF0101 FF090310 ${stored} 0367D700`)).toEqual({
    'temp.room': 21.5,
  })
  expect(valuesOf('room-sensor-milesight-em300', stored)).toEqual({
    kind: 'no-readings',
    reason: 'other-data',
  })
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

// Milesight-IoT/SensorDecoders: sample of uc-series/uc512/README.md at 6aeb1eb; downlinks as setValveTask of
// UC_Series/UC51X/UC51x_Encoder.js at 03d23b3 writes them: bit 7 time, bit 5 open, sequence 0, seconds in three bytes.
test('a solenoid valve reports open and closed, and opens for a time after which it closes by itself', () => {
  const valve = profileOf('valve-milesight-uc511')
  expect(valuesOf(valve.id, '01755C 030100 04C805000000')).toEqual({ 'valve.opening': 0 })
  expect(valuesOf(valve.id, '01755C 030101 04C805000000')).toEqual({ 'valve.opening': 100 })
  const write = (value: number) => {
    const bytes = encodeCommand(valve, { address: DEV_EUI, sequence: 0 }, 'opening', value)
    return bytes && toHex(bytes)
  }
  expect([write(0), write(100), write(50)]).toEqual(['FF1D0000', 'FF1D2000', undefined])
  const open = (opening: number, maxSec: number) => {
    const bytes = encodeTimedOpening(valve, opening, maxSec)
    return bytes && toHex(bytes)
  }
  expect(open(100, 100)).toBe('FF1DA000640000')
  expect(open(100, 3_600)).toBe('FF1DA000100E00')
  // A longer time must not become a shorter or an endless one.
  expect([open(100, 65_536), open(50, 100)]).toEqual([undefined, undefined])
  expect(closesByItself(valve)).toBe(true)
  expect(closesByItself(profileOf('valve-milesight-wt101'))).toBe(false)
})

const withTimed = (given: object) => {
  const { bus, ...rest } = profileOf('valve-milesight-uc511')
  if (bus.driver !== 'lorawan') throw new Error('another driver')
  const timedOpening = { ...bus.commands.timedOpening, ...given }
  return { ...rest, bus: { ...bus, commands: { ...bus.commands, timedOpening } } }
}

test('a time in coarser steps becomes a shorter one, and never 0 or a longer one', () => {
  const open = (given: object, maxSec: number) => {
    const bytes = encodeTimedOpening(deviceProfile.parse(withTimed(given)), 100, maxSec)
    return bytes && toHex(bytes).slice(8, 12)
  }
  const minutes = { scale: 60 }
  expect([open(minutes, 60), open(minutes, 119), open(minutes, 120)]).toEqual(['0100', '0100', '0200'])
  expect([open(minutes, 59), open(minutes, 29), open({ offset: 10 }, 9)]).toEqual(Array(3).fill(undefined))
  expect([open({ scale: 0.1 }, 3), open({ scale: 0.7 }, 7)]).toEqual(['1E00', '0A00'])
})

test('a timed opening needs an opening that closes it earlier, and seconds', () => {
  const issuesOf = (profile: unknown) =>
    deviceProfile.safeParse(profile).error?.issues.map(({ path }) => path.join('.'))
  const whole = withTimed({})
  expect(issuesOf(whole)).toBeUndefined()
  const { opening: _, ...commands } = whole.bus.commands
  expect(issuesOf({ ...whole, bus: { ...whole.bus, commands } })).toEqual(['bus.commands.opening'])
  expect(issuesOf(withTimed({ unit: 'min' }))).toEqual(['bus.commands.timedOpening'])
  expect(issuesOf(withTimed({ scale: -1 }))).toEqual(['bus.commands.timedOpening'])
})

test('a reading that depends on a byte that its item does not have is refused', () => {
  const { bus, ...rest } = profileOf('valve-milesight-uc511')
  if (bus.driver !== 'lorawan') throw new Error('another driver')
  const readings = bus.readings.map((reading) => ({ ...reading, only: { at: 1, values: [0, 1] } }))
  const outcome = deviceProfile.safeParse({ ...rest, bus: { ...bus, readings } })
  expect(outcome.error?.issues.map(({ path }) => path.join('.'))).toEqual(['bus.readings.0.only'])
})

test('a reading of bytes that no item has is refused', () => {
  const { bus, ...rest } = profileOf('room-sensor-milesight-em300')
  const outcome = deviceProfile.safeParse({ ...rest, bus: { ...bus, items: [{ head: '0367', bytes: 1 }] } })
  expect(outcome.error?.issues.map(({ path }) => path.join('.'))).toEqual(['bus.readings.0.head'])
})
