import { DAY_MS } from '@isotherm/kernel/durations'
import { beforeAll, expect, it } from 'vitest'
import { createNamed } from '../scenarios/create-scenario.ts'
import type { Scenario, StationSpec } from '../scenarios/scenario.ts'
import { readingsAt, type Season, simulateSeason } from './simulate-season.ts'
import { listWatered } from './watering-timer.ts'

/** 14:00 in Shanghai. */
const END = Date.UTC(2026, 10, 27, 6)
const HOURS = 24
const MINUTE_S = 60
const demo = createNamed('demo')
const [house] = demo.stations.filter(({ watering }) => watering !== undefined)
if (house === undefined) throw new Error('the demo has no pump house')
/** The pump house of the demo alone. */
const scenario: Scenario = { ...demo, stations: [house], faults: [] }

let season: Season
beforeAll(() => {
  const steps = simulateSeason(scenario, { days: 1, endMs: END, endOfDayS: 14 * 3600 })
  for (;;) {
    const { done, value } = steps.next()
    if (!done) continue
    season = value
    break
  }
})

const readings = () => {
  const [gateway] = season.gateways
  if (gateway === undefined) throw new Error('no gateway')
  return Array.from({ length: HOURS }, (_, hour) => readingsAt(gateway, hour, season.instantOf(hour))).flat()
}
/** Values of a metric of a device by instant. */
const courseOf = (serial: string, metric: string): ReadonlyMap<number, number> =>
  new Map(
    readings().flatMap(({ id, ts, m }): [number, number][] => {
      const value = m[metric]
      return id === serial && ts !== undefined && value !== undefined ? [[ts, value]] : []
    }),
  )
const serialOf = (group: number): string =>
  house.units[house.buildings[group]?.units[0] ?? -1]?.valveSerial ?? ''

const sensorOf = (measures: 'flow' | 'rain' | 'soil'): string =>
  house.watering?.sensors?.find((sensor) => sensor.measures === measures)?.serial ?? ''

const watered = (minute: number, station: StationSpec = house): readonly number[] => [
  ...listWatered(station, minute * MINUTE_S),
]

it('waters the groups of a program one after the other, in parts where it has a cycle', () => {
  const unitsOf = (group: number) => [...(house.buildings[group]?.units ?? [])]
  expect(watered(2 * 60 + 9)).toEqual([])
  expect([10, 15, 20, 25].map((minute) => watered(2 * 60 + minute))).toEqual([
    unitsOf(0),
    unitsOf(1),
    unitsOf(2),
    [],
  ])
  expect([30, 35, 40, 45, 50, 55, 60].map((minute) => watered(7 * 60 + minute))).toEqual([
    ...[3, 4, 5, 3, 4, 5].map(unitsOf),
    [],
  ])
})

it('reports each opening and closing of a season at its minute, with the flow of the open valves', () => {
  const opening = courseOf(serialOf(0), 'valve.opening')
  const flow = courseOf(serialOf(0), 'heat.flow')
  const pump = courseOf(house.stationSerial, 'heat.flow')
  const master = courseOf(house.stationSerial, 'master.opening')
  // The programs start at 00:10, 02:10 and so on; it ends at 14:00.
  const opened = [...opening].filter(([, pct]) => pct === 100).map(([ts]) => END + 10 * 60_000 - ts)
  expect(opened).toEqual(Array.from({ length: 12 }, (_, index) => DAY_MS - index * 2 * 3_600_000))
  for (const [ts, pct] of opening) {
    if (pct === 0) {
      expect(flow.get(ts)).toBe(0)
      continue
    }
    expect(flow.get(ts)).toBeGreaterThan(3)
    expect(pump.get(ts)).toBeGreaterThan(flow.get(ts) ?? Number.NaN)
    expect(master.get(ts)).toBe(100)
    expect(opening.get(ts + 5 * 60_000)).toBe(0)
  }
  expect(master.get(END)).toBe(0)
})

it('has hourly readings too, without a sky above the glass, and soil that the programs keep moist', () => {
  const moisture = courseOf(serialOf(3), 'soil.moisture')
  const whole = [...moisture.keys()].filter((ts) => ts % 3_600_000 === 0)
  expect(whole).toHaveLength(HOURS)
  expect(Math.min(...moisture.values())).toBeGreaterThan(15)
  expect(Math.max(...moisture.values())).toBeLessThan(45)
  const underGlass = readings().filter(({ id }) => id !== sensorOf('rain'))
  expect(underGlass.some(({ m }) => m['rain.total'] !== undefined || m['temp.outdoor'] !== undefined)).toBe(
    false,
  )
})

it('has a flow meter, a rain gauge outdoors and a soil probe of their own', () => {
  const flow = courseOf(sensorOf('flow'), 'heat.flow')
  const pump = courseOf(house.stationSerial, 'heat.flow')
  const both = [...flow].filter(([ts]) => pump.has(ts))
  expect(both.length).toBeGreaterThanOrEqual(HOURS)
  expect(both.some(([, flowM3H]) => flowM3H > 3)).toBe(true)
  // Each errs by a few per cent of its own.
  for (const [ts, flowM3H] of both) expect(Math.abs(flowM3H - (pump.get(ts) ?? 0))).toBeLessThan(1)
  const moisture = [...courseOf(sensorOf('soil'), 'soil.moisture').values()]
  expect(Math.min(...moisture)).toBeGreaterThan(15)
  expect(Math.max(...moisture)).toBeLessThan(45)
  expect(courseOf(sensorOf('rain'), 'rain.total').size).toBeGreaterThanOrEqual(HOURS)
})
