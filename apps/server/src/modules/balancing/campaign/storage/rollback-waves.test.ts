import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PlannedStep } from '../../plan/planner.ts'
import { toRollback, toSecondRollback } from './rollback-waves.ts'

type Moves = PlannedStep['moves']

/** Openings of ten valves after each wave, %. */
function follow(first: readonly number[], waves: readonly Moves[]): readonly (readonly number[])[] {
  const states = [first]
  for (const moves of waves) {
    const openings = [...(states.at(-1) ?? [])]
    for (const { deviceId, fromPct, toPct } of moves) {
      expect(openings[deviceId]).toBe(fromPct)
      openings[deviceId] = toPct
    }
    states.push(openings)
  }
  return states
}

const opening = fc.integer({ min: 0, max: 100 })
const order = fc.record({ deviceId: fc.integer({ min: 0, max: 9 }), toPct: opening })
const wave = fc.uniqueArray(order, { minLength: 1, selector: ({ deviceId }) => deviceId })

test('a rollback passes through every earlier state in reverse, and ends at the first', () => {
  fc.assert(
    fc.property(fc.array(opening, { minLength: 10, maxLength: 10 }), fc.array(wave), (first, orders) => {
      const now = [...first]
      const waves = orders.map((targets) =>
        targets.map(({ deviceId, toPct }) => {
          const fromPct = now[deviceId] ?? 0
          now[deviceId] = toPct
          return { deviceId, fromPct, toPct }
        }),
      )
      const there = follow(first, waves)
      const back = follow(
        there.at(-1) ?? [],
        toRollback(waves.map((moves) => ({ moves }))).map(({ moves }) => moves),
      )
      expect(back).toEqual([...there].reverse())
    }),
  )
})

test('a head lowered first rises last, one raised last falls first, and a second rollback goes there directly', () => {
  const deviceId = 7
  const valves = { moves: [{ deviceId: 1, fromPct: 50, toPct: 60 }] }
  const opposite = { moves: [{ deviceId: 1, fromPct: 60, toPct: 50 }] }
  const [low, high] = [
    { moves: [], pump: { deviceId, fromKpa: 50, toKpa: 40 } },
    { moves: [], pump: { deviceId, fromKpa: 50, toKpa: 60 } },
  ]
  const [up, down] = [
    { moves: [], pump: { deviceId, fromKpa: 40, toKpa: 50 } },
    { moves: [], pump: { deviceId, fromKpa: 60, toKpa: 50 } },
  ]
  expect(toRollback([low, valves])).toEqual([opposite, up])
  expect(toRollback([valves, high])).toEqual([down, opposite])
  expect(toSecondRollback([low, valves])).toEqual([opposite, up])
  expect(toSecondRollback([valves, high])).toEqual([down, opposite])
})

test('a second rollback opens valves before it closes others, and each goes to its first opening', () => {
  const waves = [
    { moves: [{ deviceId: 1, fromPct: 50, toPct: 40 }] },
    {
      moves: [
        { deviceId: 1, fromPct: 40, toPct: 30 },
        { deviceId: 2, fromPct: 50, toPct: 70 },
      ],
    },
  ]
  expect(toSecondRollback(waves)).toEqual([
    { moves: [{ deviceId: 1, fromPct: 30, toPct: 50 }] },
    { moves: [{ deviceId: 2, fromPct: 70, toPct: 50 }] },
  ])
})
