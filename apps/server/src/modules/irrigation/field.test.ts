import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test, vi } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createLog } from '../../platform/log.ts'
import { createLatestValues } from '../telemetry/latest/latest-values.ts'
import { createFieldReader, createFindMetric, type FieldNeeds } from './field.ts'
import type { StoredSource } from './storage/sources.pg.ts'
import type { MeasuredDay } from './weather/demand.ts'

const source = { id: 1, path: '/1/', timeZone: 'UTC', settings: {} } as StoredSource
const TODAY = Date.UTC(2026, 6, 6)

/** A reader of a field without devices. */
const createReader = ({
  now,
  log = createLog({ logLevel: 'silent' }),
  ...weather
}: Pick<FieldNeeds, 'readWeather' | 'readForecast'> &
  Partial<Pick<FieldNeeds, 'log'>> & { readonly now: () => number }) =>
  createFieldReader({
    ...weather,
    clock: { ...systemClock, now },
    log,
    directory: { entries: () => [] },
    findMetric: () => undefined,
  })

test('a later message with other metrics makes no opening newer', () => {
  const latest = createLatestValues()
  const find = createFindMetric(latest.findReading)
  const report = (ts: number, metric: 'valve.opening' | 'rssi', value: number) =>
    latest.apply([{ deviceId: 1, ts, quality: 0, values: [{ metric, value, quality: 0 }] }])
  report(1_000, 'valve.opening', 0)
  report(9_000, 'rssi', -80)
  expect(find(1, 'valve.opening')).toBe(0)
  expect(find(1, 'valve.opening', 1_000)).toBe(0)
  expect(find(1, 'valve.opening', 5_000)).toBeUndefined()
  expect(find(1, 'rssi', 5_000)).toBe(-80)
  expect(find(2, 'rssi')).toBeUndefined()
})

test.each([
  ['a forecast that is still read delays no plan, and counts as soon as it is known', async () => []],
  [
    'without the store, a forecast counts as soon as it is known',
    () => Promise.reject(new Error('no store')),
  ],
] as const)('%s', async (_, readWeather) => {
  let now = TODAY + 8 * HOUR_MS
  let hours: { at: number; outdoorC: number }[] | undefined
  const field = createReader({ now: () => now, readWeather, readForecast: async () => hours })
  expect(await field.readDemand(source)).toBeUndefined()
  const from = TODAY - DAY_MS
  hours = Array.from({ length: 24 }, (_, hour) => ({ at: from + hour * HOUR_MS, outdoorC: 20 + hour / 2 }))
  // What was read stays known for a while.
  expect(await field.readDemand(source)).toBeUndefined()
  now += 5_000
  await vi.waitFor(async () => expect(await field.readDemand(source)).toMatchObject({ days: 1 }), {
    timeout: 30_000,
  })
})

test('who plans never waits for the store; the first read of a day holds plans back, a later one does not', async () => {
  const warn = vi.fn()
  let now = TODAY + 8 * HOUR_MS
  const reads: PromiseWithResolvers<readonly MeasuredDay[]>[] = []
  const field = createReader({
    now: () => now,
    log: { warn },
    readWeather() {
      const read = Promise.withResolvers<readonly MeasuredDay[]>()
      reads.push(read)
      return read.promise
    },
    readForecast: async () => [],
  })
  const yesterday = { day: Math.floor(now / DAY_MS) - 1, minC: 12, maxC: 21 }
  expect(field.findDemand(source)).toBeUndefined()
  expect(field.findDemand(source)).toBeUndefined()
  expect(reads).toHaveLength(1)
  reads[0]?.resolve([yesterday])
  await vi.waitFor(() => expect(field.findDemand(source)?.demand).toMatchObject({ days: 1 }), {
    timeout: 30_000,
  })
  // An old value is read anew in the background, and counts until then.
  now += HOUR_MS
  expect(field.findDemand(source)?.demand).toMatchObject({ days: 1 })
  expect(reads).toHaveLength(2)
  // After a read that fails, what was read before on that day counts.
  reads[1]?.reject(new Error('no store'))
  await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce(), { timeout: 30_000 })
  expect(field.findDemand(source)?.demand).toMatchObject({ days: 1 })
  now += DAY_MS
  expect(field.findDemand(source)).toBeUndefined()
})
