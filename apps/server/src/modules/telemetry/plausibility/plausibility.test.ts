import { type MetricName, quality } from '@isotherm/contract/metrics'
import { DAY_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import type { DirectoryEntry } from '../../devices/index.ts'
import { testMeter as meter } from '../counts/directory.testkit.ts'
import type { Sample } from '../messages/sample.ts'
import { createPlausibility, type FindingSink } from './plausibility.ts'

const PERIOD_MS = 900_000
const START = Date.UTC(2026, 0, 5)

const valve: DirectoryEntry = { ...meter, id: 8, serial: 'v8', kind: 'valve' }

type Values = Partial<Record<MetricName, number>>

function createBench({ live = true, timeFactor }: { live?: boolean; timeFactor?: number } = {}) {
  const reported: string[] = []
  const sink: FindingSink = {
    open: (id, rule, since) => reported.push(`${id} ${rule} since ${(since - START) / PERIOD_MS}`),
    close: (id, rule, until) => reported.push(`${id} ${rule} until ${(until - START) / PERIOD_MS}`),
    event: (id, rule, at, { kind }) => reported.push(`${id} ${rule} ${kind} at ${(at - START) / PERIOD_MS}`),
  }
  const plausibility = createPlausibility({ sink: live ? sink : undefined, timeFactor: () => timeFactor })
  /** Judges the n-th reading; returns the quality bits of its values. */
  function take(
    n: number,
    values: Values,
    device = meter,
    bits = 0,
    clockOffMs?: number,
  ): Record<string, number> {
    const sample: Sample = {
      device,
      ts: START + n * PERIOD_MS,
      quality: bits,
      ...(clockOffMs === undefined ? {} : { meterTime: START + n * PERIOD_MS + clockOffMs }),
      values: Object.entries(values).map(([metric, value]) => ({
        metric: metric as MetricName,
        value,
        quality: bits,
      })),
    }
    const [judged] = plausibility.judge([sample])
    expect(judged?.values.map(({ value }) => value)).toEqual(Object.values(values))
    return Object.fromEntries(
      judged?.values
        .filter((value) => value.quality !== bits)
        .map((value) => [value.metric, value.quality]) ?? [],
    )
  }
  return { plausibility, take, reported: () => reported.splice(0) }
}

/** A meter with 1 m³/h from 50 to 30 °C, 23 kW, after n quarters of an hour. */
const good = (n: number): Values => ({
  'heat.energy': Math.floor(10_000 + 5.75 * n),
  'heat.volume': Math.floor((3_000 + 0.25 * n) * 10) / 10,
  'heat.power': 23 + (n % 3) / 10,
  'heat.flow': 1,
  'temp.supply': 50 + (n % 2) / 10,
  'temp.return': 30,
})

test('values of a sound meter are never doubtful', () => {
  const { take, reported } = createBench()
  for (let n = 0; n < 500; n += 1) expect(take(n, good(n))).toEqual({})
  expect(reported()).toEqual([])
})

test('a power that contradicts flow and temperatures is flagged each time, and is a finding from the third time on', () => {
  const { take, reported } = createBench()
  const flags = { 'heat.power': 8, 'heat.flow': 8, 'temp.supply': 8, 'temp.return': 8 }
  take(0, good(0))
  for (const n of [1, 2]) expect(take(n, { ...good(n), 'heat.power': 14 })).toMatchObject(flags)
  expect(reported()).toEqual([])
  take(3, { ...good(3), 'heat.power': 14 })
  expect(reported()).toContain('7 power-balance since 1')
  for (let n = 4; n < 12; n += 1) take(n, good(n))
  expect(reported().find((line) => line.startsWith('7 power-balance'))).toMatch(/until/)
})

test('after a fall a register keeps its last good value until it is reached again', () => {
  const { take, reported } = createBench()
  for (let n = 0; n < 4; n += 1) take(n, good(n))
  expect(take(4, { ...good(4), 'heat.energy': 3 })).toEqual({ 'heat.energy': quality.implausible })
  expect(reported()).toEqual(['7 register since 4'])
  expect(take(5, good(5))).toEqual({})
  expect(reported()).toEqual(['7 register until 5'])
})

test('a changed meter is reported once, by its hours or because the register stays low', () => {
  const { take, reported } = createBench()
  take(0, { ...good(0), 'meter.hours': 8_000 })
  expect(take(1, { 'heat.energy': 2, 'heat.volume': 1, 'meter.hours': 1 })).toEqual({})
  expect(reported()).toEqual(['7 register meter-change at 1'])
  const other = createBench()
  other.take(0, good(0))
  for (let n = 1; n < 6; n += 1) other.take(n, { 'heat.energy': n })
  expect(other.reported()).toEqual(['7 register since 1'])
  other.take(6, { 'heat.energy': 6 })
  expect(other.reported()).toEqual(['7 register meter-change at 6', '7 register until 6'])
  expect(other.take(7, { 'heat.energy': 7 })).toEqual({})
})

test('a rollover is reported and makes no value doubtful', () => {
  const { take, reported } = createBench()
  take(0, { 'heat.energy': 999_999 })
  expect(take(1, { 'heat.energy': 4 })).toEqual({})
  expect(reported()).toEqual(['7 register rollover at 1'])
})

test('swapped sensors are a finding once six of eight readings count water and no heat', () => {
  const { take, reported } = createBench()
  const swapped = (n: number): Values => ({
    'heat.energy': 10_000,
    'heat.volume': 3_000 + 0.25 * n,
    'heat.power': 0,
    'heat.flow': 1,
    'temp.supply': 30 + n / 100,
    'temp.return': 50,
  })
  for (let n = 0; n < 5; n += 1) take(n, swapped(n))
  expect(reported()).toEqual([])
  take(5, swapped(5))
  expect(reported()).toEqual(['7 swapped-sensors since 0'])
})

test('a day of flow without heat is a finding, half a day is not', () => {
  const { take, reported } = createBench()
  const shorted = (n: number): Values => ({
    ...good(n),
    'heat.energy': 10_000,
    'heat.power': 0,
    'temp.supply': 45 + (n % 2) / 10,
    'temp.return': 44.8,
  })
  for (let n = 0; n < 96; n += 1) take(n, shorted(n))
  expect(reported()).toEqual([])
  take(96, shorted(96))
  expect(reported()).toEqual(['7 no-heat since 0'])
})

test('six equal readings are frozen, and stale from then on', () => {
  const { take, reported } = createBench()
  for (let n = 0; n < 5; n += 1) expect(take(n, { ...good(0), 'heat.power': 0, 'heat.flow': 0 })).toEqual({})
  expect(take(5, { ...good(0), 'heat.power': 0, 'heat.flow': 0 })).toMatchObject({
    'heat.energy': quality.stale,
  })
  expect(reported()).toEqual(['7 frozen since 1'])
})

test('a broken sensor is flagged, and its values have no effect on other rules', () => {
  const { take, reported } = createBench()
  take(0, good(0))
  expect(take(1, { ...good(1), 'temp.supply': 999.9 })).toEqual({ 'temp.supply': quality.sensorFault })
  take(2, { ...good(2), 'temp.supply': 999.9 })
  expect(reported()).toEqual(['7 sensor since 1'])
})

test('flow through a closed valve is a finding of the valve', () => {
  const { take, reported } = createBench()
  for (let n = 0; n < 3; n += 1) take(n, { 'valve.opening': 0, 'heat.flow': 0.4 }, valve)
  expect(reported()).toEqual(['8 closed-valve since 0'])
})

test('hours are checked once a day', () => {
  const { take, reported } = createBench()
  for (let n = 0; n <= 96; n += 1) take(n, { ...good(n), 'meter.hours': 5_000 + Math.floor(n / 8) })
  expect(reported()).toEqual(['7 hours since 96'])
  for (let n = 97; n <= 192; n += 1) take(n, { ...good(n), 'meter.hours': 4_988 + Math.floor(n / 4) })
  expect(reported()).toEqual(['7 hours until 192'])
})

test('there are no findings while a device is under maintenance', () => {
  const { take, reported } = createBench()
  for (let n = 0; n < 8; n += 1) {
    expect(take(n, { ...good(n), 'heat.power': 3 }, meter, quality.maintenance)).toEqual({})
  }
  expect(reported()).toEqual([])
})

test('back-fill is flagged and creates no findings, also if a later gap is of an earlier time', () => {
  const { take, reported } = createBench({ live: false })
  for (let n = 50; n < 60; n += 1) take(n, good(n))
  expect(take(60, { ...good(60), 'heat.energy': 3 })).toEqual({ 'heat.energy': quality.implausible })
  for (let n = 10; n < 20; n += 1) expect(take(n, good(n))).toEqual({})
  expect(reported()).toEqual([])
})

test('a repeated reading is flagged again and changes nothing', () => {
  const { take, reported } = createBench()
  take(0, good(0))
  const broken = { ...good(1), 'temp.supply': 999.9 }
  for (let again = 0; again < 5; again += 1)
    expect(take(1, broken)).toMatchObject({ 'temp.supply': quality.sensorFault })
  expect(reported()).toEqual([])
})

test('in a faster simulated field, energy is compared with the time of the field', () => {
  const { take, reported } = createBench({ timeFactor: 60 })
  // A quarter of an hour is 15 hours in that field.
  const fast = (n: number): Values => good(n * 60)
  for (let n = 0; n < 50; n += 1) expect(take(n, fast(n))).toEqual({})
  expect(reported()).toEqual([])
})

test('a finding that was open before a restart ends only after good readings', () => {
  const { plausibility, take, reported } = createBench()
  plausibility.reopen(meter, 'power-balance')
  for (let n = 0; n < 5; n += 1) take(n, good(n))
  expect(reported()).toEqual([])
  take(5, good(5))
  expect(reported()).toEqual(['7 power-balance until 5'])
})

test('a meter whose own clock is years behind is a finding, a minute is not', () => {
  const { take, reported } = createBench()
  for (let n = 0; n < 5; n += 1) expect(take(n, good(n), meter, 0, 60_000)).toEqual({})
  expect(reported()).toEqual([])
  for (let n = 5; n < 7; n += 1) expect(take(n, good(n), meter, 0, -3 * 365 * DAY_MS)).toEqual({})
  expect(reported()).toEqual(['7 meter-clock since 5'])
})

test('a finding that comes back soon after its end is a new one, with its own start', () => {
  const { take, reported } = createBench()
  for (let n = 0; n < 3; n += 1) take(n, { 'valve.opening': 0, 'heat.flow': 0.4 }, valve)
  for (let n = 3; n < 8; n += 1) take(n, { 'valve.opening': 30, 'heat.flow': 0.4 }, valve)
  for (let n = 8; n < 11; n += 1) take(n, { 'valve.opening': 0, 'heat.flow': 0.4 }, valve)
  expect(reported()).toEqual(['8 closed-valve since 0', '8 closed-valve until 7', '8 closed-valve since 8'])
})

test('a device that left the registry is forgotten, but not its open findings', () => {
  const { plausibility, take, reported } = createBench()
  take(0, { 'heat.energy': 999_999 })
  plausibility.forget(meter.id)
  // Another meter: without a reading before, nothing can have rolled over.
  expect(take(1, { 'heat.energy': 4 })).toEqual({})
  expect(reported()).toEqual([])
  plausibility.reopen(valve, 'closed-valve')
  plausibility.forget(valve.id)
  for (let n = 2; n < 7; n += 1) take(n, { 'valve.opening': 30, 'heat.flow': 0.4 }, valve)
  expect(reported()).toEqual(['8 closed-valve until 6'])
})
