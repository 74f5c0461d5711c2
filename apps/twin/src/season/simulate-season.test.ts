import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { beforeAll, expect, it } from 'vitest'
import { createField } from '../field/field.ts'
import { createSmall, small } from '../scenarios/small-scenario.testkit.ts'
import { readingsAt, type Season, simulateSeason } from './simulate-season.ts'

const END = Date.UTC(2026, 10, 27, 6)
const DAYS = 20
const scenario = createSmall()

function run(): Season {
  const steps = simulateSeason(scenario, { days: DAYS, endMs: END, endOfDayS: 14 * 3600 })
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Values of a metric of a device by hour; undefined where it did not answer. */
function valuesOf(serial: string, metric: string): (number | undefined)[] {
  const gateway = season.gateways.find(({ tracks }) => tracks.some((track) => track.serial === serial))
  const track = gateway?.tracks.find((one) => one.serial === serial)
  return Array.from({ length: season.hours }, (_, hour) => track?.at(hour)?.[metric])
}
const mean = (values: readonly (number | undefined)[]): number => {
  const known = values.filter((value) => value !== undefined)
  return known.reduce((sum, value) => sum + value, 0) / known.length
}

let season: Season
beforeAll(() => {
  season = run()
})

it('has a reading of every device for each hour up to the end', () => {
  expect(season.hours).toBe(DAYS * 24)
  expect(season.instantOf(season.hours - 1)).toBe(END)
  expect(season.instantOf(0)).toBe(END - DAYS * DAY_MS + HOUR_MS)
  const field = createField(scenario, { boot: 1, nowMs: END, pace: { minMoveS: 1 }, warmUp: 'cold' })
  for (const [index, { serial, tracks }] of season.gateways.entries()) {
    const gateway = field.gateways[index]
    expect(serial).toBe(gateway?.serial)
    expect(tracks.map((track) => track.serial)).toEqual(gateway?.children.map((child) => child.serial))
  }
  const [first] = season.gateways
  if (!first) throw new Error('no gateway')
  expect(readingsAt(first, season.hours - 1, END).map(({ id, ts }) => [id, ts])).toEqual(
    first.tracks.map((track) => [track.serial, END]),
  )
})

it('counts heat by the power, and ends with the values with which the meters of the running twin start', () => {
  const energy = valuesOf(small.meter, 'heat.energy')
  const power = valuesOf(small.meter, 'heat.power')
  for (let hour = 1; hour < energy.length; hour++) {
    expect(energy[hour] ?? 0).toBeGreaterThanOrEqual(energy[hour - 1] ?? 0)
  }
  const grown = (energy.at(-1) ?? 0) - (energy[0] ?? 0)
  expect(grown / (mean(power) * (season.hours - 1))).toBeCloseTo(1, 1)
  const field = createField(scenario, { boot: 1, nowMs: END, pace: { minMoveS: 1 }, warmUp: 'cold' })
  const meter = field.gateways.flatMap(({ meters }) => meters).find(({ serial }) => serial === small.meter)
  expect(energy.at(-1)).toBeLessThanOrEqual(meter?.energyKwh ?? 0)
  expect(energy.at(-1)).toBeGreaterThan((meter?.energyKwh ?? 0) - 2)
})

it('has a cold spell, in which more heat is used', () => {
  const power = valuesOf(small.meter, 'heat.power')
  const at = (days: number): number => season.hours - days * 24
  expect(mean(power.slice(at(18), at(16)))).toBeGreaterThan(1.1 * mean(power.slice(at(10), at(1))))
})

it('has a room sensor that is silent for three days', () => {
  const [first] = season.gateways
  const silent = first?.tracks.filter((track) => track.at(season.hours - 7 * 24) === undefined) ?? []
  expect(silent).toHaveLength(1)
  const rooms = valuesOf(silent[0]?.serial ?? '', 'temp.room')
  expect(rooms.filter((value) => value === undefined)).toHaveLength(3 * 24)
  expect(rooms.at(-1)).toBeGreaterThan(10)
})

it('gives the same readings each time', () => {
  const again = run()
  const read = ({ gateways, hours }: Season) => gateways.map((gateway) => readingsAt(gateway, hours - 5, END))
  expect(read(again)).toEqual(read(season))
})
