import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import {
  type Building,
  computeDecay,
  steadyLoss,
  steadyState,
  stepBuilding,
  timeConstants,
} from '@isotherm/thermal/households/building'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestRollups, type TestReading } from '../../../history/rollups/rollups.testkit.ts'
import type { LoopPart } from '../../now/cache-by-loop.ts'
import { createTimeConstants } from './time-constants.ts'

/** A school with light walls behind two valves, in a plant at real time. */
const school: Building = {
  airToOutside: 60,
  massToOutside: 70,
  airToMass: 450,
  airCapacity: 2.5e6,
  massCapacity: 6e6,
}
const DAYS = 14
const STATION = 9
const VALVES = [1, 2] as const
const ROOMS = [11, 12] as const
const SUPPLY_C = 48

let field: Awaited<ReturnType<typeof createTestRollups>>
let now: number

/** Hourly readings of two weeks, with 60 % less heat at night. */
function readings(): TestReading[] {
  const random = createRandom(4)
  const decay = computeDecay(school, HOUR_MS / 1000)
  const loss = steadyLoss(school)
  const state = steadyState(school, { outsideC: -3, airHeatW: 22 * loss, massHeatW: 0 })
  let front = -3
  return Array.from({ length: 24 * DAYS }, (_, hour): TestReading[] => {
    if (hour % 24 === 0) front = sampleNormal(random, -3, 3)
    const outsideC = front + 3 * Math.sin((2 * Math.PI * (hour - 9)) / 24)
    const heatW = loss * (20 - front) * (hour % 24 < 7 ? 0.4 : 1.1)
    stepBuilding(school, decay, { outsideC, airHeatW: heatW + 2 * loss, massHeatW: 0 }, state)
    const at = now - (24 * DAYS - hour) * HOUR_MS + 60_000
    const toReading = (device: number, metric: MetricName, value: number): TestReading => {
      return [device, metrics[metric].id, at, value]
    }
    // One of two rooms is colder and sometimes silent: their mean must not jump.
    const rooms = ROOMS.filter((device) => device === 11 || hour % 5 > 0)
    return [
      toReading(STATION, 'temp.outdoor', outsideC),
      ...rooms.map((device) => toReading(device, 'temp.room', state.airC - (device === 12 ? 2 : 0))),
      ...VALVES.flatMap((device) => [
        toReading(device, 'temp.supply', SUPPLY_C),
        toReading(device, 'temp.return', 40),
        toReading(device, 'heat.flow', heatW / 2 / 1163 / (SUPPLY_C - 40)),
      ]),
    ]
  }).flat()
}

beforeAll(async () => {
  field = await createTestRollups()
  now = field.clock.now()
  await field.insert(readings())
})
afterAll(() => field.close())

const partOf = (valves: readonly number[], rooms: readonly number[]): LoopPart => ({
  station: { deviceId: STATION },
  consumers: valves.map((deviceId, index) => ({
    deviceId,
    areaM2: 100,
    rooms: index > 0 ? [] : rooms.map((room) => ({ deviceId: room })),
  })),
})
const create = (timeFactor?: number) =>
  createTimeConstants({
    clickhouse: field.client,
    clock: { now: () => now },
    timeFactor: () => timeFactor,
  })

it('identifies the time constant from two weeks of rooms, weather and heat', async () => {
  const found = await create()(partOf(VALVES, ROOMS))
  if (found.kind !== 'identified') throw new Error(found.kind)
  const { slowS } = timeConstants(school)
  expect(found.lowS).toBeLessThan(slowS)
  expect(found.highS).toBeGreaterThan(slowS)
  // The usual 80 h is outside the bounds.
  expect(found.highS).toBeLessThan(80 * 3600)
})

it('is "not measured" without rooms, without readings, and in a plant with a time factor of sixty', async () => {
  const find = create()
  expect(await find(partOf(VALVES, []))).toEqual({ kind: 'not-measured' })
  expect(await find(partOf([7], [8]))).toEqual({ kind: 'not-measured' })
  expect(await create(60)(partOf(VALVES, ROOMS))).toEqual({ kind: 'not-measured' })
})
