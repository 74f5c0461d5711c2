import { quality } from '@isotherm/contract/metrics'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createOrderedDevices } from '../../devices/directory/ordered-devices.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import { createLatestValues } from '../latest/latest-values.ts'
import { createConditions } from './device-counts.ts'
import { createTestDirectory } from './directory.testkit.ts'
import { createMetricValues } from './metric-values.ts'

const toEntry = (id: number, path: string): DirectoryEntry => ({
  id,
  path,
  tenant: 'demo',
  serial: `d${id}`,
  kind: 'heat-meter',
  concentratorId: undefined,
  periodS: 60,
})

/** A building with its own meter, two flats below it, and another building. */
const building = [
  toEntry(1, '/1/2/d1/'),
  toEntry(2, '/1/2/10/d2/'),
  toEntry(3, '/1/2/9/d3/'),
  toEntry(4, '/1/20/d4/'),
]

function createBench(entries = building) {
  const clock = createTestClock()
  const latest = createLatestValues()
  const absent = new Set<number>()
  let queries = 0
  const directory = createTestDirectory(entries)
  const find = (id: number) => {
    queries += 1
    return absent.has(id) ? ('silent' as const) : ('present' as const)
  }
  const presence = { find, lastNotified: find }
  const looking = { directory, ordered: createOrderedDevices(directory), latest, presence, clock }
  const values = createMetricValues({ ...looking, conditions: createConditions(looking) })
  return {
    clock,
    values,
    latest,
    absent,
    queries: () => queries,
    report(id: number, value: number, bits = 0) {
      const reported = [{ metric: 'temp.supply' as const, value, quality: bits }]
      latest.apply([{ deviceId: id, ts: clock.now(), quality: 0, values: reported }])
    },
    place: directory.place,
    find: async (path: string) => (await values.open('temp.supply'))(path),
  }
}

test('the value of a node is that of its own devices, or of all devices below if these report none', async () => {
  const bench = createBench()
  bench.report(2, 44.04)
  bench.report(3, 46)
  expect(await bench.find('/1/2/')).toEqual({ mean: 45, low: 44, high: 46, count: 2 })
  bench.report(1, 50.16)
  bench.clock.advance(3_000)
  expect(await bench.find('/1/2/')).toEqual({ mean: 50.2, low: 50.2, high: 50.2, count: 1 })
  expect(await bench.find('/1/')).toEqual({ mean: 46.7, low: 44, high: 50.2, count: 3 })
  expect(await bench.find('/1/20/')).toBeUndefined()
})

test('silent devices and doubtful values do not count', async () => {
  const bench = createBench()
  bench.report(2, 44)
  bench.report(3, 150, quality.outOfRange)
  bench.absent.add(2)
  expect(await bench.find('/1/2/')).toBeUndefined()
})

test('all devices are read once in some seconds, and immediately after a move', async () => {
  const bench = createBench()
  bench.report(2, 44)
  await Promise.all([bench.find('/1/2/'), bench.find('/1/20/')])
  const once = bench.queries()
  await bench.find('/1/')
  expect(bench.queries()).toBe(once)
  bench.place([toEntry(2, '/1/20/d2/')])
  expect(await bench.find('/1/2/')).toBeUndefined()
  expect(await bench.find('/1/20/')).toMatchObject({ mean: 44 })
})

test('a caller that accepts older values gets them while newer ones are computed', async () => {
  const bench = createBench()
  bench.report(2, 44)
  await bench.find('/1/2/')
  bench.report(2, 50)
  bench.clock.advance(10_000)
  const older = await bench.values.open('temp.supply', 30_000)
  expect(older('/1/2/')).toMatchObject({ mean: 44 })
  expect(await bench.find('/1/2/')).toMatchObject({ mean: 50 })
  bench.report(2, 55)
  bench.clock.advance(30_000)
  const tooOld = await bench.values.open('temp.supply', 30_000)
  expect(tooOld('/1/2/')).toMatchObject({ mean: 55 })
})

test('a metric that was not queried before uses the last snapshot of the devices if it is new enough', async () => {
  const openReturn = async (ageMs: number, maxAgeMs?: number) => {
    const bench = createBench()
    await bench.find('/1/2/')
    bench.latest.apply([
      {
        deviceId: 2,
        ts: bench.clock.now(),
        quality: 0,
        values: [{ metric: 'temp.return', value: 38, quality: 0 }],
      },
    ])
    bench.absent.add(2)
    bench.clock.advance(ageMs)
    return (await bench.values.open('temp.return', maxAgeMs))('/1/2/')
  }
  expect(await openReturn(10_000, 30_000)).toMatchObject({ mean: 38 })
  expect(await openReturn(10_000)).toBeUndefined()
  expect(await openReturn(30_000, 30_000)).toBeUndefined()
})

test('several metrics of one node are read as they are now', async () => {
  const bench = createBench()
  bench.report(1, 50)
  await bench.find('/1/2/')
  bench.report(1, 51)
  const found = await bench.values.read('/1/2/', ['temp.supply', 'temp.return'])
  expect([...found]).toEqual([['temp.supply', { mean: 51, low: 51, high: 51, count: 1 }]])
})

test('the values of a node with many devices are read in time slices, and cached for some seconds', async () => {
  const many = Array.from({ length: 10_500 }, (_, index) =>
    toEntry(index + 1, `/1/3/${index + 2}/d${index + 1}/`),
  )
  const bench = createBench(many)
  bench.report(1, 40)
  bench.report(10_500, 50)
  const read = async () => [...(await bench.values.read('/1/', ['temp.supply']))]
  let others = 0
  const counting = read()
  const turns = setInterval(() => {
    others += 1
  }, 0)
  expect(await counting).toEqual([['temp.supply', { mean: 45, low: 40, high: 50, count: 2 }]])
  clearInterval(turns)
  expect(others).toBeGreaterThan(0)
  const once = bench.queries()
  expect(await read()).toHaveLength(1)
  expect(bench.queries()).toBe(once)
})
