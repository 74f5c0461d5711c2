import { encodeCjtHeatReply, toCjtAddress } from '@isotherm/codecs/cjt188/encode'
import { encodeRspUd } from '@isotherm/codecs/mbus/encode'
import { encodeRtu } from '@isotherm/codecs/modbus/encode'
import { expect, it } from 'vitest'
import { guessByMetrics, guessByProfiles } from './guess-device.ts'
import { shippedProfiles } from './shipped-profiles.ts'

const toHex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex')
const address = toCjtAddress('00001112345678')
const heat = address && {
  hex: toHex(
    encodeCjtHeatReply(
      { address, sequence: 1 },
      {
        settlementKwh: 100,
        energyKwh: 1234,
        powerKw: 9.5,
        flowM3h: 0.8123,
        volumeM3: 99.5,
        supplyTempC: 48.25,
        returnTempC: 38.1,
        hours: 4321,
        clockMs: 1_767_882_600_000,
        zoneMs: 0,
        status: 0,
      },
    ),
  ),
}

it('guesses a kind that alone reports the metrics, and none from metrics that several report', () => {
  expect(guessByMetrics({ 'temp.room': 20.5, 'bat.v': 3.6, nonsense: 1 })).toEqual({
    guess: { kind: 'room-sensor', reason: 'only-kind', found: 2, of: 2 },
    values: [
      { metric: 'temp.room', value: 20.5 },
      { metric: 'bat.v', value: 3.6 },
    ],
    address: undefined,
  })
  expect(guessByMetrics({ 'temp.supply': 48, 'valve.opening': 40 }).guess?.kind).toBe('valve')
  expect(guessByMetrics({ 'heat.energy': 48, 'temp.supply': 40 }).guess?.kind).toBe('heat-meter')
  expect(guessByMetrics({ 'temp.supply': 48, 'temp.return': 40 }).guess).toBeUndefined()
  expect(guessByMetrics({ 'valve.opening': 48, 'temp.room': 40 }).guess).toBeUndefined()
  expect(guessByMetrics({ nonsense: 1 }).guess).toBeUndefined()
})

it('guesses the profile that reads most of a frame, and the address that the frame names', () => {
  const guessed = guessByProfiles(heat ?? {}, 'dtu-tcp', shippedProfiles)
  // The profile of a valve reads one value of it.
  expect(guessed.guess).toEqual({
    kind: 'heat-meter',
    reason: 'best-profile',
    profile: 'heat-meter-cjt188',
    found: 7,
    of: 7,
  })
  expect(guessed.address).toBe('00001112345678')
  expect(guessed.values).toContainEqual({ metric: 'temp.supply', value: 48.25 })
  const identity = { id: '12345678', manufacturer: 'KAM', version: 1, medium: 4, mediumName: '' }
  const telegram = encodeRspUd(1, identity, 0, [{ vib: [0x06], bytes: 4, whole: 5 }], false)
  const mbus = guessByProfiles({ hex: toHex(telegram) }, 'dtu-tcp', shippedProfiles)
  expect([mbus.guess?.profile, mbus.guess?.found, mbus.address]).toEqual(['heat-meter-mbus', 1, '12345678'])
})

it('guesses by payload and by properties, with the profiles that the driver of the line can use', () => {
  const room = { hex: '03670401046865', port: 85 }
  expect(guessByProfiles(room, 'chirpstack-mqtt', shippedProfiles).guess?.profile).toBe(
    'room-sensor-milesight-em300',
  )
  expect(guessByProfiles(room, 'dtu-tcp', shippedProfiles).guess).toBeUndefined()
  const [first] = shippedProfiles
  const named = first && {
    ...first,
    id: 'room-model',
    kind: 'room-sensor' as const,
    bus: {
      driver: 'properties' as const,
      readings: [{ metric: 'temp.room' as const, property: 't', scale: 1, offset: 0, unit: '°C' }],
      commands: {},
    },
  }
  const profiles = named === undefined ? [] : [...shippedProfiles, named]
  expect(guessByProfiles({ p: { t: '20.5' } }, 'northbound-http', profiles)).toMatchObject({
    guess: { profile: 'room-model', found: 1 },
    values: [{ metric: 'temp.room', value: 20.5 }],
  })
})

it('guesses nothing from values that no sensor shows, from Modbus and from noise', () => {
  const registers = encodeRtu(5, { kind: 'registers', fc: 3, registers: [20, 20] })
  for (const hex of [toHex(registers), 'ff', '036701ff'])
    expect(guessByProfiles({ hex }, undefined, shippedProfiles).guess).toBeUndefined()
  expect(guessByProfiles({}, 'dtu-tcp', shippedProfiles).guess).toBeUndefined()
})
