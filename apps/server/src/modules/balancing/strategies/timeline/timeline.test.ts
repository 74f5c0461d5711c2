import type { SlotLevel } from '@isotherm/contract/balancing/campaign'
import type { WeekSlot } from '@isotherm/contract/balancing/strategies'
import { HOUR_MS, WEEK_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTimeZone } from '../../../../platform/time-zone.ts'
import { type Boundary, findDue, isRise, listBoundaries } from './timeline.ts'

const night: SlotLevel = { kind: 'flow', share: 0.2 }
const day: SlotLevel = { kind: 'flow', share: 1 }
const shanghai = createTimeZone('Asia/Shanghai')
const berlin = createTimeZone('Europe/Berlin')

const weekdays = [0, 1, 2, 3, 4]
const school = {
  base: night,
  shiftMinutes: 0,
  slots: weekdays.map(
    (weekday): WeekSlot => ({
      day: weekday,
      fromMinute: 360,
      toMinute: 1_080,
      level: day,
    }),
  ),
}
const at = (text: string): number => Date.parse(text)
const toText = ({ at: instant, level }: Boundary): string =>
  `${new Date(instant).toISOString().slice(0, 16)} ${level === day ? 'day' : 'night'}`

describe('boundaries of a week', () => {
  test('start with the present level, also over the weekend', () => {
    const sunday = at('2026-11-22T12:00:00+08:00')
    expect(listBoundaries(school, shanghai, sunday, sunday + 48 * HOUR_MS).map(toText)).toEqual([
      '2026-11-20T10:00 night',
      '2026-11-22T22:00 day',
      '2026-11-23T10:00 night',
      '2026-11-23T22:00 day',
    ])
  })

  test('of a shifted group are later by the shift', () => {
    const sunday = at('2026-11-22T12:00:00+08:00')
    const shifted = listBoundaries({ ...school, shiftMinutes: 30 }, shanghai, sunday, sunday + 24 * HOUR_MS)
    expect(shifted.map(toText)).toEqual(['2026-11-20T10:30 night', '2026-11-22T22:30 day'])
  })

  test('follow the local clock into and out of summer time', () => {
    const spring = at('2026-03-28T12:00:00Z')
    expect(listBoundaries(school, berlin, spring, spring + 72 * HOUR_MS).map(toText)).toEqual([
      '2026-03-27T17:00 night',
      '2026-03-30T04:00 day',
      '2026-03-30T16:00 night',
      '2026-03-31T04:00 day',
    ])
  })

  test('come once each when clocks are set back, and in order when they are set forward', () => {
    const late = {
      base: night,
      shiftMinutes: 0,
      slots: [{ day: 6, fromMinute: 150, toMinute: 165, level: day }],
    }
    const autumn = at('2026-10-24T22:00:00Z')
    expect(listBoundaries(late, berlin, autumn, autumn + 12 * HOUR_MS)).toHaveLength(3)
    const spring = at('2026-03-28T22:00:00Z')
    const jumped = listBoundaries(late, berlin, spring, spring + 12 * HOUR_MS)
    expect(jumped.map((boundary) => boundary.level)).toEqual([night, day, night])
  })

  test('leave no level that started within a clock change, east and west of Greenwich', () => {
    const newYork = createTimeZone('America/New_York')
    const slots = [
      { day: 6, fromMinute: 90, toMinute: 120, level: day },
      { day: 6, fromMinute: 150, toMinute: 180, level: day },
    ]
    for (const [place, text] of [
      [berlin, '2026-03-28T22:00:00Z'],
      [newYork, '2026-03-08T04:00:00Z'],
    ] as const) {
      const from = at(text)
      const boundaries = listBoundaries(
        { base: night, slots, shiftMinutes: 0 },
        place,
        from,
        from + 12 * HOUR_MS,
      )
      expect(boundaries.at(-1)?.level).toEqual(night)
      const instants = boundaries.map((boundary) => boundary.at)
      expect(instants).toEqual(instants.toSorted((one, other) => one - other))
      expect(findDue(boundaries.slice(1), undefined, from + 10 * HOUR_MS, () => 0)?.wanted.level).toEqual(
        night,
      )
    }
  })

  test('of a timetable without slots are one each week, at its base', () => {
    const now = at('2026-11-22T12:00:00Z')
    const boundaries = listBoundaries({ base: day, slots: [], shiftMinutes: 0 }, berlin, now, now + WEEK_MS)
    expect(boundaries.map(({ level }) => level)).toEqual([day, day])
  })
})

test('more flow and warmer rooms are a rise, and full flow after room levels', () => {
  expect(isRise(night, day)).toBe(true)
  expect(isRise(day, night)).toBe(false)
  expect(isRise({ kind: 'room', roomC: 12 }, { kind: 'room', roomC: 20 })).toBe(true)
  expect(isRise(night, { kind: 'room', roomC: 20 })).toBe(true)
  expect(isRise({ kind: 'room', roomC: 20 }, night)).toBe(false)
})

describe('what is due', () => {
  const monday = at('2026-11-23T06:00:00+08:00')
  const boundaries = (now: number) => listBoundaries(school, shanghai, now, now + WEEK_MS)
  const twoHours = () => 2 * HOUR_MS

  test('is the slot itself without preheating, with the time of the next one', () => {
    const found = findDue(boundaries(monday - 1), undefined, monday - 1, () => 0)
    expect(found).toMatchObject({ wanted: { level: night }, nextAt: monday })
    expect(findDue(boundaries(monday), undefined, monday, () => 0)).toMatchObject({
      wanted: { at: monday, level: day },
      nextAt: monday + 12 * HOUR_MS,
    })
  })

  test('is the coming slot once preheating starts, even if rooms turn out warmer', () => {
    const now = monday - 2 * HOUR_MS
    expect(findDue(boundaries(now - 1), undefined, now - 1, twoHours)?.nextAt).toBe(now)
    const begun = findDue(boundaries(now), undefined, now, twoHours)?.wanted
    expect(begun).toEqual({ at: monday, level: day })
    const later = now + HOUR_MS / 2
    expect(findDue(boundaries(later), begun, later, () => 0)?.wanted).toEqual(begun)
  })

  test('never starts before the previous slot', () => {
    const found = findDue(boundaries(monday - 50 * HOUR_MS), undefined, monday - 50 * HOUR_MS, () => WEEK_MS)
    expect(found?.wanted).toEqual({ at: monday, level: day })
    const friday = at('2026-11-27T12:00:00+08:00')
    expect(findDue(boundaries(friday), undefined, friday, () => WEEK_MS)?.wanted.level).toEqual(day)
  })

  test('is never earlier than what was started, however often it is computed', () => {
    const slot = fc
      .record({
        day: fc.integer({ min: 0, max: 6 }),
        from: fc.integer({ min: 0, max: 47 }),
        length: fc.integer({ min: 1, max: 20 }),
        share: fc.constantFrom(0.1, 0.5, 1),
      })
      .map(({ day: weekday, from, length, share }) => ({
        day: weekday,
        fromMinute: 30 * from,
        toMinute: Math.min(1_440, 30 * (from + length)),
        level: { kind: 'flow' as const, share },
      }))
    const slots = fc.uniqueArray(slot, { maxLength: 7, selector: ({ day: weekday }) => weekday })
    const tickTimes = fc.array(
      fc.record({
        afterH: fc.double({ min: 0, max: 60, noNaN: true }),
        preheatH: fc.integer({ min: 0, max: 9 }),
      }),
      { minLength: 1, maxLength: 12 },
    )
    fc.assert(
      fc.property(slots, tickTimes, fc.constantFrom(shanghai, berlin), (given, ticks, zone) => {
        const group = { base: night, slots: given, shiftMinutes: 15 }
        let now = at('2026-03-26T00:00:00Z')
        let held: Boundary | undefined
        for (const { afterH, preheatH } of ticks) {
          now += Math.round(afterH * HOUR_MS)
          const list = listBoundaries(group, zone, now, now + WEEK_MS)
          const found = findDue(list, held, now, () => preheatH * HOUR_MS)
          if (!found) throw new Error('a timetable always holds something')
          const current = list[0]?.at ?? 0
          expect(found.wanted.at).toBeGreaterThanOrEqual(Math.max(current, held?.at ?? 0))
          expect(found.nextAt ?? now + 1).toBeGreaterThan(now)
          expect(current).toBeLessThanOrEqual(now)
          held = found.wanted
        }
      }),
    )
  })
})
