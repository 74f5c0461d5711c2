import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../testing/core.testkit.ts'
import type { DirectoryEntry, PlacedListener } from '../../devices/index.ts'
import { createPresenceWatch, type PresenceChange } from './presence-watch.ts'
import { toAllowanceMs } from './to-presence.ts'

const PERIOD_S = 60
const ALLOWANCE = toAllowanceMs(PERIOD_S)
const CONCENTRATOR = 1

const toEntry = (id: number, concentratorId?: number, periodS = PERIOD_S): DirectoryEntry => ({
  id,
  path: `/1/d${id}/`,
  tenant: 'demo',
  serial: `d${id}`,
  kind: id < 10 ? 'concentrator' : 'valve',
  concentratorId,
  periodS,
})

/** A concentrator with valves behind it, and valve 99 with a direct connection. */
function createBench(valves = 3, concentratorPeriodS = PERIOD_S) {
  const given = [toEntry(CONCENTRATOR, undefined, concentratorPeriodS), toEntry(99)]
  for (let valve = 0; valve < valves; valve += 1) given.push(toEntry(100 + valve, CONCENTRATOR))
  const byId = new Map(given.map((entry) => [entry.id, entry]))
  const clock = createTestClock()
  const placed: PlacedListener[] = []
  const directory = {
    entries: () => byId.values(),
    findById: (id: number) => byId.get(id),
    onPlaced(listener: PlacedListener) {
      placed.push(listener)
      return () => undefined
    },
  }
  const watch = createPresenceWatch({ clock, directory })
  const changes: PresenceChange[] = []
  watch.onChanged((events) => changes.push(...events))
  const get = (id: number): DirectoryEntry => byId.get(id) ?? toEntry(id)
  return {
    clock,
    watch,
    /** Advances second by second, like the real clock. */
    wait(ms: number) {
      for (let left = ms; left > 0; left -= 1_000) clock.advance(Math.min(left, 1_000))
    },
    report(...ids: readonly number[]) {
      for (const id of ids) {
        const device = get(id)
        watch.recordGateway(device.concentratorId === undefined ? device : get(device.concentratorId))
        watch.recordReading(device, clock.now())
      }
      watch.flush()
    },
    link: (online: boolean) => watch.recordLink(get(CONCENTRATOR), { online }),
    remove(id: number) {
      const entry = get(id)
      byId.delete(id)
      for (const listener of placed) listener([], [entry])
    },
    add(entry: DirectoryEntry) {
      byId.set(entry.id, entry)
      for (const listener of placed) listener([entry], [])
    },
    /** Presence events since the last call, by device. */
    notified() {
      const events = changes.splice(0)
      return Object.fromEntries(events.map(({ deviceId, presence }) => [deviceId, presence]))
    },
    changes,
  }
}

test('a device is silent after three periods and its jitter, and present when it reports again', () => {
  const { watch, report, wait, notified, clock, changes } = createBench(0)
  watch.start()
  report(99)
  expect(notified()).toEqual({ 99: 'present' })
  wait(ALLOWANCE - 1_000)
  expect([notified(), watch.find(99)]).toEqual([{}, 'present'])
  wait(3_000)
  expect(changes).toEqual([{ deviceId: 99, at: expect.any(Number), presence: 'silent' }])
  expect(watch.find(99)).toBe('silent')
  notified()
  wait(10 * ALLOWANCE)
  expect(notified()).toEqual({})
  report(99)
  expect(changes).toEqual([{ deviceId: 99, at: clock.now(), presence: 'present' }])
})

test('each device has its own period', () => {
  const { watch, report, wait, notified, add } = createBench(0)
  add(toEntry(98, undefined, 900))
  watch.start()
  report(98, 99)
  notified()
  wait(ALLOWANCE + 2_000)
  expect(notified()).toEqual({ 99: 'silent' })
  wait(toAllowanceMs(900) - ALLOWANCE)
  expect(notified()).toEqual({ 98: 'silent' })
})

test('after a sign-off a concentrator is silent and its devices are unknown, in one notification', () => {
  const { watch, report, link, notified, changes } = createBench()
  watch.start()
  link(true)
  report(100, 101, 102)
  notified()
  const sizes: number[] = []
  watch.onChanged((events) => sizes.push(events.length))
  link(false)
  expect(sizes).toEqual([4])
  expect(changes.filter(({ behind }) => behind === CONCENTRATOR)).toHaveLength(3)
  expect(notified()).toEqual({ 1: 'silent', 100: 'unknown', 101: 'unknown', 102: 'unknown' })
})

test('P5 After a concentrator comes back, its devices become present when they report, and silent only after their allowance', () => {
  const { watch, report, link, wait, notified } = createBench()
  watch.start()
  link(true)
  report(100, 101, 102)
  link(false)
  wait(2 * ALLOWANCE)
  notified()
  link(true)
  expect(notified()).toEqual({ 1: 'present' })
  report(100)
  expect(notified()).toEqual({ 100: 'present' })
  wait(PERIOD_S * 1_000)
  report(100)
  wait(2 * PERIOD_S * 1_000 + 9_000)
  report(100)
  expect(notified()).toEqual({ 101: 'silent', 102: 'silent' })
})

test('P4 If a concentrator becomes silent without a sign-off, its devices become unknown, and none is notified as silent', () => {
  const { watch, report, wait, notified, changes } = createBench(400)
  watch.start()
  for (let valve = 0; valve < 400; valve += 1) {
    report(100 + valve)
    if (valve % 10 === 9) wait(1_000)
  }
  notified()
  wait(3 * ALLOWANCE)
  const silent = changes.filter(({ presence }) => presence === 'silent')
  expect(silent.map(({ deviceId }) => deviceId)).toEqual([CONCENTRATOR])
  expect(changes.filter(({ presence }) => presence === 'unknown')).toHaveLength(400)
})

test('a concentrator with an open link that sends no messages any more is silent', () => {
  const { watch, report, link, wait, notified } = createBench()
  watch.start()
  link(true)
  report(100, 101, 102)
  notified()
  wait(2 * ALLOWANCE)
  expect(notified()).toEqual({ 1: 'silent', 100: 'unknown', 101: 'unknown', 102: 'unknown' })
})

test('a single device that stops reporting behind an active concentrator is silent', () => {
  const { watch, report, wait, notified } = createBench()
  watch.start()
  report(100, 101, 102)
  notified()
  for (let minute = 0; minute < 6; minute += 1) {
    wait(60_000)
    report(100, 101)
  }
  expect(notified()).toEqual({ 102: 'silent' })
})

test('a concentrator that reports rarely is not silent while none of its devices is overdue', () => {
  const { watch, report, wait, notified } = createBench(1, 5)
  watch.start()
  report(100)
  notified()
  wait(ALLOWANCE - 2_000)
  expect([notified(), watch.find(CONCENTRATOR)]).toEqual([{}, 'present'])
  report(100)
  wait(ALLOWANCE - 2_000)
  expect(notified()).toEqual({})
})

test('P6 The time while the server was down does not count against any device; a silent one stays silent without a notification', () => {
  const { watch, clock, wait, notified } = createBench(2)
  const stopped = clock.now() - 8 * HOUR_MS
  watch.recordReading(toEntry(100, CONCENTRATOR), stopped)
  watch.recordReading(toEntry(101, CONCENTRATOR), stopped - 2 * ALLOWANCE)
  watch.recordReading(toEntry(99), stopped - 2 * ALLOWANCE)
  watch.start()
  expect(watch.downtimeMs()).toBe(8 * HOUR_MS)
  expect([100, 101, 99].map(watch.find)).toEqual(['present', 'silent', 'silent'])
  wait(ALLOWANCE - 1_000)
  expect(notified()).toEqual({})
  wait(3_000)
  expect(notified()).toMatchObject({ 100: 'unknown', 1: 'silent' })
})

test('a device with a fast clock is not present for longer', () => {
  const { watch, clock, wait } = createBench(0)
  watch.start()
  watch.recordReading(toEntry(99), clock.now() + 600_000)
  wait(ALLOWANCE + 2_000)
  expect(watch.find(99)).toBe('silent')
})

test('devices that are added, removed or get another concentrator are watched correctly', () => {
  const { watch, report, link, notified, add, remove, wait } = createBench()
  watch.start()
  link(true)
  report(100, 101)
  notified()
  remove(100)
  add(toEntry(101, 2))
  add(toEntry(2))
  report(101)
  link(false)
  expect(notified()).toMatchObject({ 1: 'silent' })
  expect([100, 101, 102].map(watch.find)).toEqual([undefined, 'present', 'unknown'])
  wait(2 * ALLOWANCE)
  expect(notified()[100]).toBeUndefined()
})

test('the last notified state can be queried; a device that is not in the registry has none', () => {
  const { watch, report, wait, remove } = createBench()
  watch.start()
  report(100, 101)
  expect([100, 101, 102, 500].map(watch.lastNotified)).toEqual(['present', 'present', 'unknown', undefined])
  wait(ALLOWANCE - 10_000)
  report(101)
  wait(12_000)
  expect([100, 101].map(watch.lastNotified)).toEqual(['silent', 'present'])
  remove(101)
  expect(watch.lastNotified(101)).toBeUndefined()
})

test('P7 A device that joins a silent concentrator is notified as unknown', () => {
  const { watch, report, link, add, notified } = createBench()
  watch.start()
  report(100, 99)
  link(false)
  notified()
  add(toEntry(120, CONCENTRATOR))
  expect(notified()).toEqual({ 120: 'unknown' })
  add(toEntry(99, CONCENTRATOR))
  expect(notified()).toEqual({ 99: 'unknown' })
})

test('P7 A device that gets a longer period is notified as present if it is within it', () => {
  const { watch, report, wait, add, notified } = createBench(0)
  watch.start()
  report(99)
  wait(ALLOWANCE + 2_000)
  expect(notified()).toEqual({ 99: 'silent' })
  add(toEntry(99, undefined, 10 * PERIOD_S))
  expect(notified()).toEqual({ 99: 'present' })
})

test.each([
  ['an hour forward', HOUR_MS],
  ['an hour back', -HOUR_MS],
  ['three days forward', 72 * HOUR_MS],
])(
  'P8: a clock that is set %s, and back later, makes no device silent that reports by its own clock',
  (_, jumpMs) => {
    const { watch, report, wait, notified, clock } = createBench()
    watch.start()
    const field = [99, 100, 101, 102]
    report(...field)
    notified()
    const reportAt = (shiftMs: number) => {
      for (const id of field) {
        const device = toEntry(id, id === 99 ? undefined : CONCENTRATOR)
        watch.recordGateway(id === 99 ? device : toEntry(CONCENTRATOR))
        watch.recordReading(device, clock.now() - shiftMs)
      }
      watch.flush()
    }
    for (const shiftMs of [jumpMs, 0]) {
      clock.jump(shiftMs === 0 ? -jumpMs : jumpMs)
      for (let minute = 0; minute < 10; minute += 1) {
        wait(PERIOD_S * 1_000)
        reportAt(shiftMs)
      }
      expect(notified()).toEqual({})
      // A device that really stops is found in its time.
      for (let minute = 0; minute < 4; minute += 1) {
        wait(PERIOD_S * 1_000)
        watch.recordGateway(toEntry(CONCENTRATOR))
      }
      expect(notified()).toMatchObject({ 99: 'silent' })
      reportAt(shiftMs)
      notified()
    }
  },
)

test('P8: after a clock that was wrong from the start is set right, devices that report are present', () => {
  const { watch, report, wait, notified, clock } = createBench(0)
  watch.start()
  for (const jumpMs of [HOUR_MS, -2 * HOUR_MS]) {
    clock.jump(jumpMs)
    for (let minute = 0; minute < 10; minute += 1) {
      report(99)
      wait(PERIOD_S * 1_000)
    }
    expect(watch.find(99)).toBe('present')
    expect(Object.values(notified())).not.toContain('silent')
  }
})
