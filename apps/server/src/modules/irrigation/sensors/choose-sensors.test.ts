import { quality } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FindReading } from '../field.ts'
import { findPressure, isSensorSilent, listProbeIds, readSource } from './choose-sensors.ts'
import { createFindTrusted } from './trusted-readings.ts'

const settings = { name: '泵房', capacityM3H: 10, leadS: 0, groupDelayS: 0, afterOutage: 'skip' as const }
const [STATION, METER, INLET, OUTLET] = [1, 2, 3, 4]

type Reported = Readonly<Record<string, readonly [value: number, ts: number]>>
const reader =
  (devices: Readonly<Record<number, Reported>>): FindReading =>
  (deviceId, metric) => {
    const found = devices[deviceId]?.[metric]
    return found && { value: found[0], ts: found[1] }
  }

const find = reader({
  [STATION]: {
    'heat.flow': [9, 10],
    'pressure.return': [50, 10],
    'pressure.supply': [400, 10],
    'pump.speed': [80, 10],
  },
  [METER]: { 'heat.flow': [7, 20] },
  [INLET]: { 'pressure.supply': [30, 30] },
  [OUTLET]: { 'pressure.supply': [390, 40] },
})

test('each value comes from its own sensor, and without one from the controller', () => {
  expect(readSource(find, { ...settings, stationId: STATION })).toEqual({
    atMs: 10,
    flowM3H: 9,
    isPumping: true,
    pumpMs: 10,
    inletKpa: 50,
    inletMs: 10,
  })
  const all = { ...settings, stationId: STATION, meterId: METER, inletId: INLET, outletId: OUTLET }
  expect(readSource(find, all)).toEqual({
    atMs: 20,
    flowM3H: 7,
    isPumping: true,
    pumpMs: 10,
    inletKpa: 30,
    inletMs: 30,
  })
  expect(findPressure(find, all, 'outletId')).toEqual({ value: 390, ts: 40 })
  expect(findPressure(find, { ...settings, stationId: STATION }, 'outletId')).toEqual({ value: 400, ts: 10 })
})

test('without a controller nothing says whether the pump runs, and without a meter the pressure stands alone', () => {
  expect(readSource(find, { ...settings, meterId: METER })).toEqual({
    atMs: 20,
    flowM3H: 7,
    isPumping: undefined,
  })
  expect(readSource(find, { ...settings, inletId: INLET })).toMatchObject({ atMs: 30, flowM3H: undefined })
  expect(readSource(find, settings)).toBeUndefined()
})

test('a sensor of pressure may report either metric, and one that reports both measures before and after the pump', () => {
  const both = reader({ [INLET]: { 'pressure.supply': [30, 30], 'pressure.return': [20, 30] } })
  const chosen = { ...settings, inletId: INLET, outletId: INLET }
  expect(findPressure(both, chosen, 'inletId')?.value).toBe(20)
  expect(findPressure(both, chosen, 'outletId')?.value).toBe(30)
  const apart = reader({ [INLET]: { 'pressure.supply': [30, HOUR_MS], 'pressure.return': [20, 0] } })
  expect(findPressure(apart, chosen, 'inletId')?.value).toBe(20)
  const ended = reader({ [INLET]: { 'pressure.supply': [30, HOUR_MS + 1], 'pressure.return': [20, 0] } })
  expect(findPressure(ended, chosen, 'inletId')?.value).toBe(30)
})

test('a pressure that is not trusted is not replaced by that of the other side of the pump', () => {
  const values: Readonly<Record<string, { value: number; ts: number; quality: number }>> = {
    'pressure.return': { value: 2, ts: 30, quality: quality.sensorFault },
    'pressure.supply': { value: 400, ts: 30, quality: 0 },
  }
  const findTrusted = createFindTrusted((_, metric) => values[metric])
  const chosen = { ...settings, inletId: INLET, outletId: INLET }
  expect(findPressure(findTrusted, chosen, 'inletId')).toBeUndefined()
  expect(isSensorSilent(findTrusted, 'inletId', INLET, 30)).toBe(true)
  expect(findPressure(findTrusted, chosen, 'outletId')?.value).toBe(400)
})

test('the probes of a group count instead of those of its valves', () => {
  const valves = [{ deviceId: 5, flowM3H: 6, maxS: 60 }]
  const group = { id: 1, version: 1, settings: { name: '南组', mode: 'parallel' as const, valves } }
  expect(listProbeIds(group)).toEqual([5])
  expect(listProbeIds({ ...group, settings: { ...group.settings, probeIds: [] } })).toEqual([5])
  expect(listProbeIds({ ...group, settings: { ...group.settings, probeIds: [8, 9] } })).toEqual([8, 9])
})

test('a sensor is silent by what it is there for: flow and pressure after an hour, rain after a day', () => {
  const said = reader({ [METER]: { 'heat.flow': [7, 0], 'rain.total': [3, 0], 'bat.v': [3.6, 2 * HOUR_MS] } })
  expect(isSensorSilent(said, 'meterId', METER, HOUR_MS)).toBe(false)
  expect(isSensorSilent(said, 'meterId', METER, HOUR_MS + 1)).toBe(true)
  expect(isSensorSilent(said, 'rainId', METER, 24 * HOUR_MS)).toBe(false)
  expect(isSensorSilent(said, 'inletId', METER, 0)).toBe(true)
})

test('whatever is attached and reported, flow and pressure are never those of another device', () => {
  const device = fc.integer({ min: 1, max: 4 })
  const names = ['heat.flow', 'pressure.supply', 'pressure.return', 'pump.speed']
  const reported = fc.array(
    fc.record({ device, metric: fc.constantFrom(...names), ts: fc.integer({ min: 0, max: 9 }) }),
    { maxLength: 16 },
  )
  const one = fc.option(device, { nil: undefined })
  const attached = fc.record({ stationId: one, meterId: one, inletId: one, outletId: one })
  fc.assert(
    fc.property(reported, attached, (given, chosen) => {
      const values = new Map(given.map((one) => [`${one.device} ${one.metric}`, one]))
      // A value says whose it is.
      const findReading: FindReading = (id, metric) => {
        const one = values.get(`${id} ${metric}`)
        return one && { value: id, ts: one.ts }
      }
      const own = { ...settings, ...chosen }
      const reading = readSource(findReading, own)
      if (reading?.flowM3H !== undefined) expect(reading.flowM3H).toBe(own.meterId ?? own.stationId)
      if (reading?.inletKpa !== undefined) expect(reading.inletKpa).toBe(own.inletId ?? own.stationId)
      const outlet = findPressure(findReading, own, 'outletId')
      if (outlet) expect(outlet.value).toBe(own.outletId ?? own.stationId)
      expect(reading === undefined).toBe(
        findReading(own.meterId ?? own.stationId ?? 0, 'heat.flow') === undefined &&
          findPressure(findReading, own, 'inletId') === undefined,
      )
    }),
  )
})
