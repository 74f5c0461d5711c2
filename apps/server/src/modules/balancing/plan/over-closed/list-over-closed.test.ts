import { solveLoop } from '@isotherm/balancing/loop/loop-flows'
import { createSampleLoop, filled } from '@isotherm/balancing/loop/sample-loop.testkit'
import { pascal } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { listGuessed, type RoundMemory } from '../round-memory.ts'
import { listOverClosed, type SettledRound } from './list-over-closed.ts'

const COUNT = 8
const HEAD_PA = 120_000
/** Consumers whose valves close from 80 to 50 %, and the last one of the street, whose room may be cold. */
const CLOSED = [0, 1, 2, 3, 4]
const FAR = 7
const model = createSampleLoop(COUNT)
const solve = (openings: ArrayLike<number>): Float64Array =>
  solveLoop(model, openings, { kind: 'head', head: pascal(HEAD_PA) }).flowKgS
const before = filled(COUNT, 0.8)
const after = before.map((opening, i) => (CLOSED.includes(i) ? 0.5 : opening))
const roomOf = (consumer: number): number => 100 + consumer
const beforeKgS = solve(before)

const memory: RoundMemory = {
  devices: [...before.keys()],
  step: {
    snapshots: [{ headPa: HEAD_PA, flowKgS: [...beforeKgS], openings: [...before] }],
    broken: [],
    suspected: [],
    proven: [],
  },
  openings: [...after],
  reportedPct: [...after.map((opening) => 100 * opening)],
  moves: CLOSED.map((consumer) => ({ consumer, from: 0.8, to: 0.5 })),
  minShare: [...filled(COUNT, 0.9)],
  isTrim: false,
  rooms: { measured: [roomOf(FAR)], cold: [] },
}

/** The flows as predicted, but those of valves that closed are only half of that. */
const round: SettledRound = {
  loop: {
    consumers: memory.devices.map((deviceId) => ({ deviceId, rooms: [{ deviceId: roomOf(deviceId) }] })),
  },
  memory,
  flows: 'metered',
  model,
  afterKgS: solve(after).map((flow, i) => (CLOSED.includes(i) ? flow / 2 : flow)),
  headPa: HEAD_PA,
  rooms: new Map(),
}
const openingsOf = (changes: Partial<SettledRound> = {}): number[] =>
  listOverClosed({ ...round, ...changes }).map(({ toPct }) => toPct)

test('valves that closed too far open again to whole per cent', () => {
  const pcts = openingsOf()
  expect(pcts).toHaveLength(CLOSED.length)
  for (const pct of pcts) {
    expect(pct).toBe(Math.round(pct))
    expect(pct).toBeGreaterThan(60)
    expect(pct).toBeLessThanOrEqual(81)
  }
})

test('they open less far where a building with cold rooms would get less than before the round', () => {
  // A valve that opened meanwhile takes what the closings left to the far building.
  const taken = { ...memory, openings: memory.openings.with(5, 1).with(6, 1) }
  const free = openingsOf({ memory: taken })
  const cold = openingsOf({ memory: taken, rooms: new Map([[roomOf(FAR), 17]]) })
  expect(free).toHaveLength(CLOSED.length)
  expect(cold.every((pct, i) => pct < (free[i] ?? 0))).toBe(true)
  const eased = taken.openings.map((opening, i) =>
    (cold[i] ?? 0) > 0 ? (cold[i] ?? 0) / 100 - 0.0075 : opening,
  )
  const floor = 0.99 * Math.min(beforeKgS[FAR] ?? 0, solve(taken.openings)[FAR] ?? 0)
  expect(solve(eased)[FAR]).toBeGreaterThanOrEqual(floor)
  // A room that was cold when the round was planned counts too, and one that is cooled on purpose does not.
  expect(openingsOf({ memory: { ...taken, rooms: { measured: [], cold: [roomOf(FAR)] } } })).toEqual(cold)
  const lowered = { ...taken, rooms: { measured: [], cold: [] } }
  expect(openingsOf({ memory: lowered, rooms: new Map([[roomOf(FAR), 17]]) })).toEqual(free)
})

test('a flow that was guessed before the round shows nothing', () => {
  const [first, ...others] = CLOSED
  const listed = listOverClosed({ ...round, memory: { ...memory, guessed: [first ?? 0] } })
  expect(listed.map(({ deviceId }) => deviceId)).toEqual(others)
})

test('flows are guessed without a reading of the meter, and without a return where there are no meters', () => {
  const readings = {
    meterKgS: Float64Array.of(1, Number.NaN, 0),
    returnC: Float64Array.of(Number.NaN, 40, 41),
  }
  expect(listGuessed(readings, 'metered')).toEqual([1])
  expect(listGuessed(readings, 'temperature-only')).toEqual([0])
})
