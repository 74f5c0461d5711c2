import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { STEP_MINUTES } from '../../../../shared/week/clock-text.ts'
import { findWeekFault } from './week-fault.testkit.ts'
import {
  copyDay,
  DAY_MINUTES,
  drawSlot,
  listDay,
  moveSlot,
  putSlots,
  removeSlot,
  resizeSlot,
  setLevel,
  splitSlot,
  toDayPlan,
  type Week,
  weekdays,
} from './week-slots.ts'

const day = fc.constantFrom(...weekdays)
/** Any pointer position, also beyond the ends of the day. */
const minute = fc.integer({ min: -200, max: DAY_MINUTES + 200 })
const step = fc.integer({ min: 0, max: DAY_MINUTES / STEP_MINUTES }).map((steps) => steps * STEP_MINUTES)
const pick = fc.nat()

/** All edits of a week. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('draw' as const), day, startMinute: minute, nowMinute: minute }),
  fc.record({ kind: fc.constant('resize' as const), pick, edge: fc.constantFrom('from', 'to'), minute }),
  fc.record({ kind: fc.constant('move' as const), pick, day, minute }),
  fc.record({ kind: fc.constant('split' as const), pick }),
  fc.record({ kind: fc.constant('remove' as const), pick }),
  fc.record({ kind: fc.constant('level' as const), pick, level: fc.nat(9) }),
  fc.record({ kind: fc.constant('copy' as const), day, to: fc.subarray([...weekdays]) }),
  fc.record({ kind: fc.constant('put' as const), days: fc.subarray([...weekdays]), from: step, to: step }),
)
type Change = typeof change extends fc.Arbitrary<infer Made> ? Made : never

function apply(week: Week<number>, made: Change): Week<number> {
  if (made.kind === 'draw') return drawSlot(week, made, 1)?.week ?? week
  if (made.kind === 'copy') return copyDay(week, made.day, made.to)
  if (made.kind === 'put')
    return putSlots(week, made.days, { fromMinute: made.from % DAY_MINUTES, toMinute: made.to }, 2)
  const slot = week[made.pick % week.length]
  if (slot === undefined) return week
  switch (made.kind) {
    case 'resize':
      return resizeSlot(week, slot, made.edge, made.minute).week
    case 'move':
      return moveSlot(week, slot, made.day, made.minute).week
    case 'split':
      return splitSlot(week, slot)?.week ?? week
    case 'remove':
      return removeSlot(week, slot)
    case 'level':
      return setLevel(week, slot, made.level).week
  }
}

const lengthOf = (week: Week<number>): number =>
  week.reduce((sum, { fromMinute, toMinute }) => sum + toMinute - fromMinute, 0)

const anyWeek = fc.array(change, { maxLength: 30 }).map((changes) => changes.reduce<Week<number>>(apply, []))

test('after any edits, slots do not overlap, are on quarters of an hour and end by midnight', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      let week: Week<number> = []
      for (const made of changes) {
        week = apply(week, made)
        expect(findWeekFault(week)).toBeUndefined()
        const times = week.map((slot) => slot.day * DAY_MINUTES + slot.fromMinute)
        expect(times).toEqual(times.toSorted((one, other) => one - other))
      }
    }),
  )
})

test('moving and splitting preserve the total time of all slots', () => {
  fc.assert(
    fc.property(anyWeek, pick, day, minute, (week, picked, to, at) => {
      const slot = week[picked % week.length]
      if (slot === undefined) return
      expect(lengthOf(moveSlot(week, slot, to, at).week)).toBe(lengthOf(week))
      const split = splitSlot(week, slot)
      expect(split === undefined).toBe(slot.toMinute - slot.fromMinute === STEP_MINUTES)
      if (split) expect(lengthOf(split.week)).toBe(lengthOf(week))
    }),
  )
})

test('every change returns a slot that is in the week', () => {
  fc.assert(
    fc.property(anyWeek, pick, minute, (week, picked, at) => {
      const slot = week[picked % week.length]
      if (slot === undefined) return
      for (const made of [
        moveSlot(week, slot, slot.day, at),
        resizeSlot(week, slot, 'from', at),
        resizeSlot(week, slot, 'to', at),
        setLevel(week, slot, 7),
        splitSlot(week, slot),
      ])
        if (made) expect(made.week).toContain(made.slot)
    }),
  )
})

test('a day is listed from midnight to midnight without gaps', () => {
  fc.assert(
    fc.property(anyWeek, day, (week, of) => {
      const plan = toDayPlan(week, of, 0)
      expect(plan[0]?.fromMinute).toBe(0)
      expect(plan.at(-1)?.toMinute).toBe(DAY_MINUTES)
      for (const [i, span] of plan.entries()) {
        const next = plan[i + 1]
        if (next) expect(next.fromMinute).toBe(span.toMinute)
      }
    }),
  )
})

describe('a slot', () => {
  const monday = (fromHour: number, toHour: number, level = 1) => ({
    day: 0,
    fromMinute: fromHour * 60,
    toMinute: toHour * 60,
    level,
  })
  const morning = monday(6, 8)
  const evening = monday(17, 22)
  const week: Week<number> = [morning, evening]

  test('that is drawn ends at its neighbour, and cannot be drawn on another slot', () => {
    const drawn = { day: 0, startMinute: 9 * 60, nowMinute: 20 * 60 }
    expect(drawSlot(week, drawn, 3)?.slot).toEqual(monday(9, 17, 3))
    expect(drawSlot(week, { ...drawn, nowMinute: 60 }, 3)?.slot).toEqual(monday(8, 9, 3))
    expect(drawSlot(week, { ...drawn, startMinute: 7 * 60 }, 3)).toBeUndefined()
    expect(drawSlot(week, { ...drawn, nowMinute: 9 * 60 }, 3)).toBeUndefined()
  })

  test('that is made longer ends at its neighbour, and a shortened slot keeps at least a quarter of an hour', () => {
    expect(resizeSlot(week, morning, 'to', 23 * 60).slot).toEqual(monday(6, 17))
    expect(resizeSlot(week, morning, 'to', 0).slot.toMinute).toBe(6 * 60 + STEP_MINUTES)
    expect(resizeSlot(week, evening, 'from', 0).slot).toEqual(monday(8, 22))
  })

  test('that is moved onto another slot is placed beside it, or stays if no gap is long enough', () => {
    expect(moveSlot(week, morning, 0, 16 * 60).slot).toEqual(monday(15, 17))
    expect(moveSlot(week, morning, 0, 21 * 60).slot).toEqual(monday(22, 24))
    const full: Week<number> = [...week, { ...monday(0, 24), day: 1 }]
    expect(moveSlot(full, morning, 1, 0).week).toBe(full)
  })

  test('past midnight becomes one slot per day, also from Sunday to Monday', () => {
    const night = putSlots(week, [6], { fromMinute: 22 * 60, toMinute: 7 * 60 }, 5)
    expect(listDay(night, 6)).toEqual([{ ...monday(22, 24, 5), day: 6 }])
    expect(listDay(night, 0)).toEqual([monday(0, 7, 5), monday(7, 8), evening])
    expect(putSlots([], [2], { fromMinute: 0, toMinute: 0 }, 5)).toEqual([{ ...monday(0, 24, 5), day: 2 }])
  })

  test('of one day is copied to other days and replaces their slots', () => {
    const copied = copyDay([...week, { ...monday(1, 2), day: 3 }], 0, [0, 3, 4])
    expect(listDay(copied, 3)).toEqual(week.map((slot) => ({ ...slot, day: 3 })))
    expect(copied).toHaveLength(6)
  })
})

test('faults are listed', () => {
  const slot = { day: 0, fromMinute: 0, toMinute: 60, level: 1 }
  expect(findWeekFault([slot, { ...slot, fromMinute: 45, toMinute: 90 }])).toBe('overlap')
  expect(findWeekFault([{ ...slot, toMinute: 50 }])).toBe('off-step')
  expect(findWeekFault([{ ...slot, toMinute: DAY_MINUTES + 15 }])).toBe('outside')
  expect(findWeekFault([{ ...slot, day: 7 }])).toBe('outside')
  expect(
    findWeekFault([slot, { ...slot, day: 1 }, { ...slot, fromMinute: 60, toMinute: 75 }]),
  ).toBeUndefined()
})
