import { setImmediate } from 'node:timers/promises'
import { quality } from '@isotherm/contract/metrics'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createOrderedDevices } from '../../devices/directory/ordered-devices.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import { createLatestValues } from '../latest/latest-values.ts'
import { createPresenceWatch } from '../presence/presence-watch.ts'
import { toAllowanceMs } from '../presence/to-presence.ts'
import { createConditions, createDeviceCounts } from './device-counts.ts'
import { createTestDirectory } from './directory.testkit.ts'
import { toHealth } from './node-health.ts'

const PERIOD_S = 60
/** Counts use the last notified state, which is up to a second old. */
const NOTIFIED_WITHIN_MS = 2_000

const toEntry = (id: number, path: string, concentratorId?: number): DirectoryEntry => ({
  id,
  path,
  tenant: 'demo',
  serial: `d${id}`,
  kind: concentratorId === undefined ? 'concentrator' : 'valve',
  concentratorId,
  periodS: PERIOD_S,
})

function createBench(given: readonly DirectoryEntry[]) {
  const clock = createTestClock()
  const latest = createLatestValues()
  let countings = 0
  const directory = createTestDirectory(given)
  const { findById, place } = directory
  const presence = createPresenceWatch({ clock, directory })
  presence.start()
  const watched = {
    find: presence.find,
    lastNotified(id: number) {
      if (id === given[0]?.id) countings += 1
      return presence.lastNotified(id)
    },
  }
  const ordered = createOrderedDevices(directory)
  const open = createDeviceCounts(createConditions({ directory, ordered, latest, presence: watched, clock }))
  return {
    clock,
    count: async (path: string) => (await open())(path),
    report(id: number, bits = 0) {
      const values = [{ metric: 'temp.return' as const, value: 40, quality: bits }]
      const device = findById(id)
      const concentrator = findById(device?.concentratorId ?? 0)
      if (concentrator) presence.recordGateway(concentrator)
      if (device) presence.recordReading(device, clock.now())
      latest.apply([{ deviceId: id, ts: clock.now(), quality: 0, values }])
    },
    link(id: number, online: boolean) {
      const node = findById(id) ?? toEntry(id, '/')
      presence.recordLink(node, { online })
    },
    place,
    countings: () => countings,
    recordReading: (id: number, at: number) => {
      const device = findById(id)
      if (device) presence.recordReading(device, at)
    },
    latest,
  }
}

test('a device is present within three of its periods plus jitter after a report, then silent', async () => {
  const { clock, count, report } = createBench([toEntry(1, '/1/'), toEntry(2, '/1/5/', 1)])
  report(2)
  clock.advance(3 * PERIOD_S * 1_000)
  expect(await count('/1/5/')).toMatchObject({ devCount: 1, silentCount: 0, badCount: 0 })
  clock.advance(toAllowanceMs(PERIOD_S) - 3 * PERIOD_S * 1_000 + NOTIFIED_WITHIN_MS)
  expect(await count('/1/5/')).toMatchObject({ devCount: 1, silentCount: 1, badCount: 0 })
})

test('a device that reports doubtful values is bad, a silent one is only silent', async () => {
  const { clock, count, report } = createBench([toEntry(2, '/1/5/', 1), toEntry(3, '/1/6/', 1)])
  report(2, quality.sensorFault)
  report(3, quality.clockCorrected)
  expect(await count('/1/')).toMatchObject({ devCount: 2, silentCount: 0, badCount: 1 })
  clock.advance(4 * PERIOD_S * 1_000)
  expect(await count('/1/')).toMatchObject({ devCount: 2, silentCount: 2, badCount: 0 })
})

test('devices behind a concentrator that signed off are unknown, however new their readings are', async () => {
  const { clock, count, report, link } = createBench([
    toEntry(1, '/1/'),
    toEntry(2, '/1/5/', 1),
    toEntry(3, '/1/6/', 9),
  ])
  for (const id of [2, 3]) report(id)
  link(1, false)
  expect(await count('/1/')).toEqual({ devCount: 3, silentCount: 2, unknownCount: 1, badCount: 0 })
  link(1, true)
  clock.advance(3_000)
  expect(await count('/1/')).toMatchObject({ devCount: 3, silentCount: 0, badCount: 0 })
})

test('counts are cached for three seconds', async () => {
  const { clock, count, report } = createBench([toEntry(2, '/1/5/', 1)])
  expect(await count('/')).toMatchObject({ silentCount: 1 })
  report(2)
  clock.advance(2_999)
  expect(await count('/')).toMatchObject({ silentCount: 1 })
  clock.advance(1)
  expect(await count('/')).toMatchObject({ silentCount: 0 })
})

test('a moved device counts at its new place immediately', async () => {
  const { count, place } = createBench([toEntry(2, '/1/5/', 1)])
  expect(await count('/1/5/')).toMatchObject({ devCount: 1 })
  place([toEntry(2, '/1/50/', 1)])
  expect([await count('/1/5/'), await count('/1/50/')]).toMatchObject([{ devCount: 0 }, { devCount: 1 }])
})

const toMany = (parent: string) =>
  Array.from({ length: 25_000 }, (_, index) => toEntry(index + 1, `${parent}${index + 1}/`, 1))

test('devices that move during a count are counted again before it returns', async () => {
  const { count, place } = createBench(toMany('/1/5/'))
  const counted = count('/1/6/')
  await setImmediate()
  place(toMany('/1/6/'))
  expect(await counted).toMatchObject({ devCount: 25_000 })
})

test('a long count is shared while it runs, and cached for three seconds after its end', async () => {
  const { clock, count, countings } = createBench(toMany('/1/'))
  const first = count('/1/')
  await setImmediate()
  clock.advance(10_000)
  await Promise.all([first, count('/1/')])
  expect(countings()).toBe(1)
  clock.advance(2_999)
  await count('/1/')
  expect(countings()).toBe(1)
  clock.advance(1)
  await count('/1/')
  expect(countings()).toBe(2)
})

test('for any tree and any readings, a range counts the same as a loop over all devices', async () => {
  const path = fc
    .array(fc.constantFrom('1', '2', '10', '19', '100'), { minLength: 1, maxLength: 4 })
    .map((steps) => `/${steps.join('/')}/`)
  const device = fc.record({ path, ageS: fc.option(fc.nat(400)), isBad: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.array(device, { maxLength: 40 }),
      fc.array(path, { minLength: 1 }),
      async (devices, prefixes) => {
        const bench = createBench(devices.map((given, index) => toEntry(index + 1, given.path, 1_000)))
        const now = bench.clock.now()
        for (const [index, { ageS, isBad }] of devices.entries()) {
          if (ageS === null) continue
          const bits = isBad ? quality.implausible : 0
          const values = [{ metric: 'temp.room' as const, value: 20, quality: bits }]
          bench.recordReading(index + 1, now - ageS * 1_000)
          bench.latest.apply([{ deviceId: index + 1, ts: now - ageS * 1_000, quality: 0, values }])
        }
        for (const prefix of ['/', ...prefixes]) {
          const below = devices.filter((given) => given.path.startsWith(prefix))
          const speaking = below.filter(
            ({ ageS }) => ageS !== null && ageS * 1_000 <= toAllowanceMs(PERIOD_S),
          )
          expect(await bench.count(prefix)).toMatchObject({
            devCount: below.length,
            silentCount: below.length - speaking.length,
            badCount: speaking.filter(({ isBad }) => isBad).length,
          })
        }
      },
    ),
  )
})

test.each([
  [0, 0, 0, 'none'],
  [10, 0, 0, 'good'],
  [10, 1, 0, 'caution'],
  [10, 0, 1, 'caution'],
  [10, 2, 2, 'caution'],
  [10, 3, 2, 'alarm'],
  [1, 1, 0, 'alarm'],
] as const)('%i devices, %i silent and %i bad: %s', (devCount, silentCount, badCount, health) => {
  expect(toHealth({ devCount, silentCount, badCount })).toBe(health)
})

test('devices that are added, moved, removed or get another period are counted correctly', async () => {
  const at = (period: number, entry: DirectoryEntry): DirectoryEntry => ({ ...entry, periodS: period })
  const stays = toEntry(1, '/1/7/d1/', 9)
  const { clock, count, place, report } = createBench([
    stays,
    toEntry(2, '/1/5/d2/', 9),
    toEntry(3, '/1/6/d3/', 9),
  ])
  report(1)
  expect((await count('/1/')).devCount).toBe(3)
  clock.advance(240_000)
  place([at(600, stays), toEntry(2, '/1/60/d2/', 9), toEntry(4, '/1/4/d4/', 9)])
  expect(await Promise.all(['/1/', '/1/4/', '/1/5/', '/1/6/', '/1/60/'].map(count))).toEqual(
    [3, 1, 0, 0, 1].map((devCount) => expect.objectContaining({ devCount })),
  )
  // It reports every 600 s now, so 240 s are no silence.
  expect(await count('/1/7/')).toMatchObject({ devCount: 1, silentCount: 0, badCount: 0 })
})
