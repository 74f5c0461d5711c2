import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../testing/core.testkit.ts'
import type { DirectoryEntry, PlacedListener } from '../../devices/index.ts'
import { createPresenceWatch, type PresenceChange } from './presence-watch.ts'
import { toAllowanceMs } from './to-presence.ts'

const PERIOD_S = 60
const ALLOWANCE = toAllowanceMs(PERIOD_S)
const HUB = 1

const toEntry = (id: number, concentratorId?: number, periodS = PERIOD_S): DirectoryEntry => ({
  id,
  path: `/1/d${id}/`,
  tenant: 'demo',
  serial: `d${id}`,
  kind: id < 10 ? 'concentrator' : 'valve',
  concentratorId,
  periodS,
})

/** A concentrator with valves behind it, and one valve, 99, with a link of its own. */
function createBench(valves = 3, hubPeriodS = PERIOD_S) {
  const given = [toEntry(HUB, undefined, hubPeriodS), toEntry(99)]
  for (let valve = 0; valve < valves; valve += 1) given.push(toEntry(100 + valve, HUB))
  const byId = new Map(given.map((entry) => [entry.id, entry]))
  const clock = createTestClock()
  const placed: PlacedListener[] = []
  const directory = {
    entries: () => byId.values(),
    findById: (id: number) => byId.get(id),
    onPlaced(heard: PlacedListener) {
      placed.push(heard)
      return () => undefined
    },
  }
  const watch = createPresenceWatch({ clock, directory })
  const changes: PresenceChange[] = []
  watch.onChanged((news) => changes.push(...news))
  const get = (id: number): DirectoryEntry => byId.get(id) ?? toEntry(id)
  return {
    clock,
    watch,
    /** Goes on second by second, as the real clock does. */
    wait(ms: number) {
      for (let left = ms; left > 0; left -= 1_000) clock.advance(Math.min(left, 1_000))
    },
    say(...ids: readonly number[]) {
      for (const id of ids) {
        const device = get(id)
        watch.noteGateway(device.concentratorId === undefined ? device : get(device.concentratorId))
        watch.noteReading(device, clock.now())
      }
      watch.flush()
    },
    link: (online: boolean) => watch.noteLink(get(HUB), { online }),
    remove(id: number) {
      const entry = get(id)
      byId.delete(id)
      for (const heard of placed) heard([], [entry])
    },
    add(entry: DirectoryEntry) {
      byId.set(entry.id, entry)
      for (const heard of placed) heard([entry], [])
    },
    /** What was notified since the last time, by device. */
    notified() {
      const news = changes.splice(0)
      return Object.fromEntries(news.map(({ deviceId, presence }) => [deviceId, presence]))
    },
    changes,
  }
}

test('a device is notified silent once its period and its jitter passed three times over, and present when it speaks again', () => {
  const { watch, say, wait, notified, clock, changes } = createBench(0)
  watch.start()
  say(99)
  expect(notified()).toEqual({ 99: 'present' })
  wait(ALLOWANCE - 1_000)
  expect([notified(), watch.find(99)]).toEqual([{}, 'present'])
  wait(3_000)
  expect(changes).toEqual([{ deviceId: 99, at: expect.any(Number), presence: 'silent' }])
  expect(watch.find(99)).toBe('silent')
  notified()
  wait(10 * ALLOWANCE)
  expect(notified()).toEqual({})
  say(99)
  expect(changes).toEqual([{ deviceId: 99, at: clock.now(), presence: 'present' }])
})

test('each device has its own period', () => {
  const { watch, say, wait, notified, add } = createBench(0)
  add(toEntry(98, undefined, 900))
  watch.start()
  say(98, 99)
  notified()
  wait(ALLOWANCE + 2_000)
  expect(notified()).toEqual({ 99: 'silent' })
  wait(toAllowanceMs(900) - ALLOWANCE)
  expect(notified()).toEqual({ 98: 'silent' })
})

test('a concentrator that says goodbye is silent and what stands behind it unknown, in one telling', () => {
  const { watch, say, link, notified, changes } = createBench()
  watch.start()
  link(true)
  say(100, 101, 102)
  notified()
  const tellings: number[] = []
  watch.onChanged((news) => tellings.push(news.length))
  link(false)
  expect(tellings).toEqual([4])
  expect(changes.filter(({ behind }) => behind === HUB)).toHaveLength(3)
  expect(notified()).toEqual({ 1: 'silent', 100: 'unknown', 101: 'unknown', 102: 'unknown' })
})

test('P5 When a concentrator comes back its devices are present as they speak, and silent only after their time', () => {
  const { watch, say, link, wait, notified } = createBench()
  watch.start()
  link(true)
  say(100, 101, 102)
  link(false)
  wait(2 * ALLOWANCE)
  notified()
  link(true)
  expect(notified()).toEqual({ 1: 'present' })
  say(100)
  expect(notified()).toEqual({ 100: 'present' })
  wait(PERIOD_S * 1_000)
  say(100)
  wait(2 * PERIOD_S * 1_000 + 9_000)
  say(100)
  expect(notified()).toEqual({ 101: 'silent', 102: 'silent' })
})

test('P4 A concentrator that falls silent without a word takes its devices along, none of which is notified silent', () => {
  const { watch, say, wait, notified, changes } = createBench(400)
  watch.start()
  for (let valve = 0; valve < 400; valve += 1) {
    say(100 + valve)
    if (valve % 10 === 9) wait(1_000)
  }
  notified()
  wait(3 * ALLOWANCE)
  const silent = changes.filter(({ presence }) => presence === 'silent')
  expect(silent.map(({ deviceId }) => deviceId)).toEqual([HUB])
  expect(changes.filter(({ presence }) => presence === 'unknown')).toHaveLength(400)
})

test('a concentrator whose link stands but which brings nothing any more is silent', () => {
  const { watch, say, link, wait, notified } = createBench()
  watch.start()
  link(true)
  say(100, 101, 102)
  notified()
  wait(2 * ALLOWANCE)
  expect(notified()).toEqual({ 1: 'silent', 100: 'unknown', 101: 'unknown', 102: 'unknown' })
})

test('a single device that falls silent behind a speaking concentrator is silent', () => {
  const { watch, say, wait, notified } = createBench()
  watch.start()
  say(100, 101, 102)
  notified()
  for (let minute = 0; minute < 6; minute += 1) {
    wait(60_000)
    say(100, 101)
  }
  expect(notified()).toEqual({ 102: 'silent' })
})

test('a concentrator that reports seldom is not taken for silent while nobody misses it', () => {
  const { watch, say, wait, notified } = createBench(1, 5)
  watch.start()
  say(100)
  notified()
  wait(ALLOWANCE - 2_000)
  expect([notified(), watch.find(HUB)]).toEqual([{}, 'present'])
  say(100)
  wait(ALLOWANCE - 2_000)
  expect(notified()).toEqual({})
})

test('P6 The time the server was away counts against no device; what was silent before stays so untold', () => {
  const { watch, clock, wait, notified } = createBench(2)
  const stopped = clock.now() - 8 * HOUR_MS
  watch.noteReading(toEntry(100, HUB), stopped)
  watch.noteReading(toEntry(101, HUB), stopped - 2 * ALLOWANCE)
  watch.noteReading(toEntry(99), stopped - 2 * ALLOWANCE)
  watch.start()
  expect(watch.awayMs()).toBe(8 * HOUR_MS)
  expect([100, 101, 99].map(watch.find)).toEqual(['present', 'silent', 'silent'])
  wait(ALLOWANCE - 1_000)
  expect(notified()).toEqual({})
  wait(3_000)
  expect(notified()).toMatchObject({ 100: 'unknown', 1: 'silent' })
})

test('a device whose clock runs ahead is not present for longer', () => {
  const { watch, clock, wait } = createBench(0)
  watch.start()
  watch.noteReading(toEntry(99), clock.now() + 600_000)
  wait(ALLOWANCE + 2_000)
  expect(watch.find(99)).toBe('silent')
})

test('devices that come, go or get another concentrator are watched where they are', () => {
  const { watch, say, link, notified, add, remove, wait } = createBench()
  watch.start()
  link(true)
  say(100, 101)
  notified()
  remove(100)
  add(toEntry(101, 2))
  add(toEntry(2))
  say(101)
  link(false)
  expect(notified()).toMatchObject({ 1: 'silent' })
  expect([100, 101, 102].map(watch.find)).toEqual([undefined, 'present', 'unknown'])
  wait(2 * ALLOWANCE)
  expect(notified()[100]).toBeUndefined()
})

test('what was notified of a device can be asked for, of one that is not in the registry nothing', () => {
  const { watch, say, wait, remove } = createBench()
  watch.start()
  say(100, 101)
  expect([100, 101, 102, 500].map(watch.lastNotified)).toEqual(['present', 'present', 'unknown', undefined])
  wait(ALLOWANCE - 10_000)
  say(101)
  wait(12_000)
  expect([100, 101].map(watch.lastNotified)).toEqual(['silent', 'present'])
  remove(101)
  expect(watch.lastNotified(101)).toBeUndefined()
})

test('P7 A device that comes behind a silent concentrator, or goes to one, is notified to be unknown', () => {
  const { watch, say, link, add, notified } = createBench()
  watch.start()
  say(100, 99)
  link(false)
  notified()
  add(toEntry(120, HUB))
  expect(notified()).toEqual({ 120: 'unknown' })
  add(toEntry(99, HUB))
  expect(notified()).toEqual({ 99: 'unknown' })
})

test('P7 A device that is to speak less often than it did is notified to be present within its new period', () => {
  const { watch, say, wait, add, notified } = createBench(0)
  watch.start()
  say(99)
  wait(ALLOWANCE + 2_000)
  expect(notified()).toEqual({ 99: 'silent' })
  add(toEntry(99, undefined, 10 * PERIOD_S))
  expect(notified()).toEqual({ 99: 'present' })
})
