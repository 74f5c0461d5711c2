import { metrics, quality } from '@isotherm/contract/metrics'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClickhouse } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { createLog } from '../../../platform/log.ts'
import { createTestRollups, type TestReading } from '../../history/rollups/rollups.testkit.ts'
import type { Loop, LoopConsumer } from '../loop/loop.ts'
import { createCachedTravel } from './cached-travel.ts'
import { readTravel } from './valve-travel.ch.ts'

const OPENING = metrics['valve.opening'].id
let field: Awaited<ReturnType<typeof createTestRollups>>
let now: number
const log = createLog({ logLevel: 'silent' })

beforeAll(async () => {
  field = await createTestRollups()
  now = field.clock.now()
  // Ten readings of each valve, an hour apart, the last of them now.
  const openings: Readonly<Record<number, readonly number[]>> = {
    // One stroke that takes three readings, then one back.
    1: [50, 50, 60, 70, 80, 80, 80, 40, 40, 40],
    // The valve does not move, but its potentiometer is noisy.
    2: [50, 51, 50, 49, 50, 51, 50, 50, 49, 50],
  }
  const readings = Object.entries(openings).flatMap(([device, values]) =>
    values.map(
      (value, hour): TestReading => [Number(device), OPENING, now - (10 - hour) * HOUR_MS + 1, value],
    ),
  )
  await field.insert([
    ...readings,
    [1, OPENING, now - 3.5 * HOUR_MS, 0, quality.sensorFault],
    [2, OPENING, now - 30 * HOUR_MS, 90],
  ])
})
afterAll(() => field.close())

it('counts a stroke over several readings as one move, and neither noise nor doubtful readings', async () => {
  const { byDevice, since } = await readTravel(field.client, [1, 2, 3], {
    from: now - 12 * HOUR_MS,
    to: now,
  })
  expect(byDevice.get(1)).toEqual({ moves: 2, strokes: 0.7 })
  expect(byDevice.get(2)).toEqual({ moves: 0, strokes: 0 })
  expect(byDevice.has(3)).toBe(false)
  expect(since).toBe(now - 10 * HOUR_MS + 1)
})

const loopOf = (...deviceIds: number[]): Loop => ({
  station: { deviceId: 9, path: '/1/', periodS: 60 },
  areas: [],
  pipes: [],
  consumers: deviceIds.map(
    (deviceId): LoopConsumer => ({
      emitter: 'radiator',
      deviceId,
      deviceName: `V${deviceId}`,
      model: 'V1',
      node: '',
      nestaddr: '',
      path: `/1/${deviceId}/`,
      level: 5,
      periodS: 3600,
      minPct: null,
      maxPct: null,
      maxStepPct: null,
      areaM2: 100,
      rooms: [],
    }),
  ),
})

it('covers a plant week, and reports nothing for less than a day', async () => {
  const needs = { clickhouse: field.client, clock: { now: () => now }, log }
  const inField = await createCachedTravel({ ...needs, timeFactor: () => undefined })(loopOf(1, 2, 3))
  expect(inField?.days).toBeCloseTo(30 / 24, 3)
  expect(inField?.moves).toEqual(Float64Array.of(2, 1, Number.NaN))
  expect(inField?.travel[1]).toBeCloseTo(0.4, 9)
  const young = await createCachedTravel({ ...needs, timeFactor: () => undefined })(loopOf(1))
  expect(young).toBeUndefined()
  // At a time factor of sixty the last ten hours are 25 days, of which seven count.
  const fast = await createCachedTravel({ ...needs, timeFactor: () => 60 })(loopOf(1))
  expect(fast?.days).toBeLessThanOrEqual(7)
  expect(fast?.moves).toEqual(Float64Array.of(0))
})

it('queries again after some minutes, and at once for another loop', async () => {
  let at = now
  const find = createCachedTravel({
    clickhouse: field.client,
    clock: { now: () => at },
    timeFactor: () => undefined,
    log,
  })
  const first = await find(loopOf(1, 2))
  await field.insert([[1, OPENING, now - MINUTE_MS, 90]])
  expect(await find(loopOf(1, 2))).toBe(first)
  expect((await find(loopOf(2, 1)))?.moves).toEqual(Float64Array.of(1, 3))
  await field.insert([[2, OPENING, now - 30_000, 10]])
  expect((await find(loopOf(2, 1)))?.moves).toEqual(Float64Array.of(1, 3))
  at = now + HOUR_MS
  expect((await find(loopOf(2, 1)))?.moves).toEqual(Float64Array.of(2, 3))
})

it('is empty while ClickHouse does not answer, and queries again', async () => {
  let url = 'http://127.0.0.1:1'
  const away = createClickhouse({ clickhouseUrl: url })
  const clickhouse = { query: (params: never) => (url === '' ? field.client : away).query(params) } as never
  const find = createCachedTravel({ clickhouse, clock: { now: () => now }, timeFactor: () => undefined, log })
  expect(await find(loopOf(1, 2, 3))).toBeUndefined()
  url = ''
  expect((await find(loopOf(1, 2, 3)))?.moves[1]).toBeGreaterThan(0)
  await away.close()
})
