import { expect, test } from 'vitest'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createOrderedDevices } from '../../devices/directory/ordered-devices.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import { createLatestValues } from '../latest/latest-values.ts'
import { createCountings } from './countings.ts'
import { createTestDirectory } from './directory.testkit.ts'

const toEntry = (id: number, path: string): DirectoryEntry => ({
  id,
  path: `${path}d${id}/`,
  tenant: 'demo',
  serial: `d${id}`,
  kind: 'valve',
  concentratorId: undefined,
  periodS: 60,
})

function createBench(given: readonly DirectoryEntry[]) {
  const clock = createTestClock()
  const latest = createLatestValues()
  const silent = new Set<number>()
  let queries = 0
  const directory = createTestDirectory(given)
  const find = (id: number) => {
    queries += 1
    return silent.has(id) ? ('silent' as const) : ('present' as const)
  }
  const presence = { find, lastNotified: find }
  const ordered = createOrderedDevices(directory)
  const { countFigures } = createCountings({ directory, ordered, latest, presence, clock })
  return {
    clock,
    countFigures,
    silent,
    place: directory.place,
    report(id: number, returnC: number) {
      const values = [{ metric: 'temp.return' as const, value: returnC, quality: 0 }]
      latest.apply([{ deviceId: id, ts: clock.now(), quality: 0, values }])
    },
    /** Number of presence queries since the last call. */
    takeQueries() {
      const since = queries
      queries = 0
      return since
    },
  }
}

/** Two valves at or below /1/2/, and one at /1/20/. */
const three = [toEntry(1, '/1/2/'), toEntry(2, '/1/2/9/'), toEntry(3, '/1/20/')]
/** 12,000 valves at /1/2/, 12,000 at /1/3/ and one at /1/4/. */
const many = Array.from({ length: 24_001 }, (_, at) => toEntry(at + 1, `/1/${2 + Math.floor(at / 12_000)}/`))

test('devices below overlapping paths count once, and devices outside do not count', async () => {
  const { countFigures, report } = createBench(three)
  for (const [id, returnC] of [
    [1, 40],
    [2, 44],
    [3, 90],
  ] as const)
    report(id, returnC)
  const figures = await countFigures(['/1/2/9/', '/1/2/', '/1/2/9/', '/1/2/9/d2/'])
  expect(figures).toMatchObject({
    valves: { total: 2, online: 2 },
    returnTemps: { count: 2, mean: 42, deviation: 2 },
  })
  expect(await countFigures([])).toMatchObject({ valves: { total: 0 } })
})

test('a small node in a large company reads only its own devices, as they are now', async () => {
  const { countFigures, silent, takeQueries } = createBench(many)
  expect((await countFigures(['/1/4/'])).valves).toMatchObject({ total: 1, online: 1 })
  expect(takeQueries()).toBe(1)
  silent.add(24_001)
  expect((await countFigures(['/1/4/'])).valves).toMatchObject({ total: 1, silent: 1 })
})

test('queries for many devices share one snapshot of all devices', async () => {
  const { clock, countFigures, silent, takeQueries } = createBench(many)
  const [all, again, part] = await Promise.all([
    countFigures(['/']),
    countFigures(['/1/']),
    countFigures(['/1/3/']),
  ])
  expect([all, again, part].map(({ valves }) => valves.total)).toEqual([24_001, 24_001, 12_000])
  expect(await countFigures(['/'])).toBe(all)
  expect(takeQueries()).toBe(24_001)
  silent.add(1)
  clock.advance(30_000)
  expect((await countFigures(['/'])).valves).toEqual({ total: 24_001, online: 24_000, silent: 1, unknown: 0 })
})

test('figures that are some seconds old are returned while they are recounted', async () => {
  const { clock, countFigures, silent } = createBench(many)
  const first = await countFigures(['/'])
  silent.add(1)
  clock.advance(29_999)
  expect(await countFigures(['/'])).toBe(first)
  expect(await countFigures(['/1/'])).toMatchObject({ valves: { total: 24_001 } })
  await expect.poll(async () => (await countFigures(['/'])).valves.silent).toBe(1)
})

test('moved devices count at their new place immediately', async () => {
  const { countFigures, place } = createBench(many)
  expect((await countFigures(['/1/2/'])).valves.total).toBe(12_000)
  place(many.map(({ id }) => toEntry(id, '/1/3/')))
  expect((await countFigures(['/1/2/'])).valves.total).toBe(0)
  expect((await countFigures(['/1/3/'])).valves.total).toBe(24_001)
})
