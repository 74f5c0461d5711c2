import { parseHex } from '@isotherm/codecs/bytes/hex'
import {
  EVERY_METER,
  encodeCjtHeatReply,
  encodeCjtRead,
  encodeCjtValveReply,
} from '@isotherm/codecs/cjt188/encode'
import { toLongFrame } from '@isotherm/codecs/frames.testkit'
import { encodeReqUd2, encodeRspUd } from '@isotherm/codecs/mbus/encode'
import { encodeRtu, encodeTcp } from '@isotherm/codecs/modbus/encode'
import { toRegisters } from '@isotherm/codecs/modbus/registers'
import { type DeviceProfile, deviceProfile } from '@isotherm/contract/device-profile'
import { metrics, quality } from '@isotherm/contract/metrics'
import { expect, it } from 'vitest'
import { isConvertible } from './convert-units.ts'
import { decodeByProfile, type ProfileOutcome } from './decode-by-profile.ts'
import { encodeCommand, listRequests } from './encode-by-profile.ts'
import { shippedProfiles } from './shipped-profiles.ts'

function profileOf(id: string): DeviceProfile {
  const found = shippedProfiles.find((profile) => profile.id === id)
  if (found === undefined) throw new Error(id)
  return found
}
const valuesOf = (outcome: ProfileOutcome): Record<string, number> => {
  if (outcome.kind !== 'readings') throw new Error(JSON.stringify(outcome))
  return Object.fromEntries(outcome.readings.map(({ metric, value }) => [metric, value]))
}
const target = { address: EVERY_METER, sequence: 1 }
const display = {
  settlementKwh: 1000,
  energyKwh: 1234.56,
  powerKw: 9.5,
  flowM3h: 0.8123,
  volumeM3: 99.5,
  supplyTempC: 48.25,
  returnTempC: 38.1,
  hours: 4321,
  clockMs: 1_767_882_600_000,
  zoneMs: 0,
  status: 0x0100,
}

it('reads the metrics of a CJ/T 188 heat meter, with its clock', () => {
  const outcome = decodeByProfile(profileOf('heat-meter-cjt188'), encodeCjtHeatReply(target, display))
  expect(valuesOf(outcome)).toEqual({
    'heat.energy': 1234.56,
    'heat.power': 9.5,
    'heat.flow': 0.8123,
    'heat.volume': 99.5,
    'temp.supply': 48.25,
    'temp.return': 38.1,
    'meter.hours': 4321,
  })
  expect(outcome).toMatchObject({ address: EVERY_METER, deviceTime: '2026-01-08T14:30:00', missing: [] })
})

it('marks power and flow that contradict each other, and values outside their range', () => {
  const wrong = decodeByProfile(
    profileOf('heat-meter-cjt188'),
    encodeCjtHeatReply(target, { ...display, powerKw: 95 }),
  )
  if (wrong.kind !== 'readings') throw new Error(wrong.kind)
  const marked = wrong.readings.filter((reading) => reading.quality === quality.implausible)
  expect(marked.map(({ metric }) => metric)).toEqual(['heat.power', 'heat.flow'])
  const hot = decodeByProfile(
    profileOf('heat-meter-cjt188'),
    encodeCjtHeatReply(target, { ...display, supplyTempC: 999.9 }),
  )
  expect(
    hot.kind === 'readings' && hot.readings.find(({ metric }) => metric === 'temp.supply')?.quality,
  ).toBe(quality.outOfRange)
})

it('converts the units of M-Bus records once, and reads only current values', () => {
  const identity = { id: '12345678', manufacturer: 'KAM', version: 1, medium: 4 }
  const frame = encodeRspUd(5, identity, 1, [
    { dif: 0x40, vib: [0x0e], bytes: 4, whole: 9 },
    { dif: 0x30, vib: [0x5a], bytes: 2, whole: 999 },
    // 12.345 GJ.
    { vib: [0x0e], bytes: 4, whole: 12_345 },
    { vib: [0x2b], bytes: 4, whole: 34_700 },
    { vib: [0x3b], bytes: 4, whole: 543 },
    { vib: [0x5a], bytes: 2, whole: 955 },
    { vib: [0x5e], bytes: 2, whole: 400 },
    { vib: [0x25], bytes: 3, whole: 120 },
  ])
  const outcome = decodeByProfile(profileOf('heat-meter-mbus'), frame ?? new Uint8Array())
  const values = valuesOf(outcome)
  expect(values['heat.energy']).toBeCloseTo(12_345 / 3.6, 6)
  expect(values).toMatchObject({
    'heat.power': 34.7,
    'heat.flow': 0.543,
    'temp.supply': 95.5,
    'temp.return': 40,
    'meter.hours': 2,
  })
  expect(outcome).toMatchObject({
    address: '12345678',
    missing: [{ metric: 'heat.volume', reason: 'not-in-frame' }],
  })
  expect(outcome.kind === 'readings' && outcome.readings.every((reading) => reading.quality === 0)).toBe(true)
})

it('reads meters that mark their heat, count hours otherwise, have no value in a fault, or are old', () => {
  const profile = profileOf('heat-meter-mbus')
  const identity = { id: '12345678', manufacturer: 'KAM', version: 1, medium: 4 }
  const frame = encodeRspUd(5, identity, 1, [
    // Counted backward (3C) and forward (3B); a power without error (00); a flow while the meter has a fault.
    { vib: [0x86, 0x3c], bytes: 4, whole: 7 },
    { vib: [0x86, 0x3b], bytes: 4, whole: 4321 },
    { vib: [0xab, 0x00], bytes: 4, whole: 1400 },
    { dif: 0x30, vib: [0x3b], bytes: 4, whole: 999_999 },
    { dif: 0x30, vib: [0x22], bytes: 4, whole: 55 },
    { vib: [0x22], bytes: 4, whole: 985 },
  ])
  const outcome = decodeByProfile(profile, frame ?? new Uint8Array())
  expect(valuesOf(outcome)).toEqual({ 'heat.energy': 4321, 'heat.power': 1.4, 'meter.hours': 985 })
  expect(outcome).toMatchObject({
    missing: [
      { metric: 'heat.flow', reason: 'absent' },
      { metric: 'heat.volume', reason: 'not-in-frame' },
      {},
      {},
    ],
  })
  const both = encodeRspUd(5, identity, 1, [
    { vib: [0x22], bytes: 4, whole: 985 },
    { vib: [0x26], bytes: 4, whole: 900 },
    { vib: [0x86, 0x3b], bytes: 4, whole: 1 },
    { vib: [0x06], bytes: 4, whole: 2 },
  ])
  expect(valuesOf(decodeByProfile(profile, both ?? new Uint8Array()))).toEqual({
    'heat.energy': 2,
    'meter.hours': 900,
  })
  // The fixed structure: 1,234 kWh now, and the energy of the settlement day.
  const old = toLongFrame('08 05 73 78 56 34 12 0A 00 05 3E 34 12 00 00 35 01 00 00')
  expect(decodeByProfile(profile, old)).toMatchObject({ kind: 'readings', address: '12345678' })
  expect(valuesOf(decodeByProfile(profile, old))).toEqual({ 'heat.energy': 1234 })
})

it('reads valves: two ends of an on/off valve, an opening of the vendor’s', () => {
  const onOff = profileOf('valve-on-off-cjt188')
  expect(valuesOf(decodeByProfile(onOff, encodeCjtValveReply(target, 0x0100)))).toEqual({
    'valve.opening': 0,
  })
  expect(
    valuesOf(decodeByProfile(onOff, encodeCjtHeatReply(target, { ...display, status: 0 }))),
  ).toMatchObject({
    'valve.opening': 100,
    'temp.return': 38.1,
  })
  expect(decodeByProfile(onOff, encodeCjtValveReply(target, 0x0300))).toMatchObject({
    readings: [],
    missing: [{ metric: 'valve.opening', reason: 'bad-digits' }, {}, {}],
  })
})

it('reads registers by address, type and unit, and finds the block of a reply by its length', () => {
  const plc = profileOf('station-plc-modbus')
  const numbers = [75.5, 50.25, 0.62, 0.31, 120.5, 3510, -8.5, 62, 7.5, 76, 310, 0]
  const registers = numbers.flatMap((value) => toRegisters(value, 'f32') ?? [])
  const frame = encodeTcp(1, 1, { kind: 'registers', fc: 3, registers })
  const values = valuesOf(decodeByProfile(plc, frame))
  expect(values).toMatchObject({
    'temp.supply': 75.5,
    'heat.power': 3510,
    'temp.outdoor': -8.5,
    'pressure.diff': 310,
  })
  expect(values['pressure.supply']).toBeCloseTo(620, 3)
  expect(values['pump.target']).toBeUndefined()
  const room = encodeRtu(3, { kind: 'registers', fc: 4, registers: [0xff9c, 3600] })
  expect(valuesOf(decodeByProfile(profileOf('room-sensor-modbus'), room))).toEqual({
    'temp.room': -10,
    'bat.v': 3.6,
  })
  const part = encodeRtu(3, { kind: 'registers', fc: 3, registers: [45] })
  expect(decodeByProfile(profileOf('valve-modulating-modbus'), part)).toEqual({
    kind: 'no-readings',
    reason: 'other-data',
  })
  expect(valuesOf(decodeByProfile(profileOf('valve-modulating-modbus'), part, { start: 101 }))).toEqual({
    'valve.opening': 45,
  })
})

it('says why a frame has no readings', () => {
  const meter = profileOf('heat-meter-cjt188')
  expect(decodeByProfile(meter, encodeCjtRead(target))).toEqual({ kind: 'no-readings', reason: 'request' })
  expect(decodeByProfile(meter, encodeReqUd2(1, true))).toEqual({ kind: 'other-protocol' })
  expect(decodeByProfile(meter, encodeCjtRead(target).with(-2, 0))).toEqual({ kind: 'damaged' })
  const exception = encodeTcp(1, 1, { kind: 'exception', fc: 3, code: 2, name: 'illegal-address' })
  expect(decodeByProfile(profileOf('station-plc-modbus'), exception)).toEqual({
    kind: 'no-readings',
    reason: 'refused',
  })
  const busy = parseHex('68040468080170088116') ?? new Uint8Array()
  expect(decodeByProfile(profileOf('heat-meter-mbus'), busy)).toEqual({
    kind: 'no-readings',
    reason: 'refused',
  })
})

it('sends polls and commands of each profile, and refuses addresses and values that do not fit', () => {
  const hexOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex').toUpperCase()
  const device = { address: '00001112345678', sequence: 1 }
  expect(listRequests(profileOf('heat-meter-cjt188'), device)?.map(hexOf)).toEqual([
    '68207856341211000001031F90016116',
  ])
  expect(
    listRequests(profileOf('heat-meter-mbus'), { address: '12345678', sequence: 1 })?.map(hexOf),
  ).toEqual(['1040FD3D16', '680B0B6853FD5278563412FFFFFFFFB216', '107BFD7816'])
  expect(listRequests(profileOf('station-plc-modbus'), { address: '1', sequence: 7 })?.map(hexOf)).toEqual([
    '007000000006010300000018',
    '007100000006010300280004',
  ])
  expect(listRequests(profileOf('heat-meter-cjt188'), { address: '12', sequence: 1 })).toBeUndefined()
  const onOff = profileOf('valve-on-off-cjt188')
  expect(hexOf(encodeCommand(onOff, device, 'opening', 100))?.slice(18, 30)).toBe('0404A0170155')
  expect(encodeCommand(onOff, device, 'opening', 45)).toBeUndefined()
  expect(
    hexOf(encodeCommand(profileOf('valve-modulating-modbus'), { address: '1', sequence: 1 }, 'opening', 50)),
  ).toBe('01060064003249C0')
  expect(
    hexOf(encodeCommand(profileOf('station-plc-modbus'), { address: '1', sequence: 1 }, 'offset', -2)),
  ).toBe('00100000000B0110002A000204C0000000')
  expect(encodeCommand(profileOf('heat-meter-cjt188'), device, 'opening', 100)).toBeUndefined()
})

it('ships profiles whose metrics belong to their kind of device and whose units convert', () => {
  expect(new Set(shippedProfiles.map(({ id }) => id)).size).toBe(shippedProfiles.length)
  for (const { id, kind, bus } of shippedProfiles) {
    for (const reading of bus.readings) {
      expect(metrics[reading.metric].kinds, `${id} ${reading.metric}`).toContain(kind)
      if ('unit' in reading)
        expect(isConvertible(reading.metric, reading.unit), `${id} ${reading.unit}`).toBe(true)
    }
  }
})

it('refuses a profile whose registers no block reads, and metrics that do not exist', () => {
  const plc = structuredClone(profileOf('room-sensor-modbus'))
  const [first] = plc.bus.readings
  const moved = { ...plc, bus: { ...plc.bus, readings: [{ ...first, address: 9 }] } }
  expect(deviceProfile.safeParse(moved).error?.issues[0]).toMatchObject({
    path: ['bus', 'readings', 0, 'address'],
  })
  const unknown = { ...plc, bus: { ...plc.bus, readings: [{ ...first, metric: 'temp.moon' }] } }
  expect(deviceProfile.safeParse(unknown).success).toBe(false)
  expect(deviceProfile.parse(JSON.parse(JSON.stringify(plc)))).toEqual(plc)
})
