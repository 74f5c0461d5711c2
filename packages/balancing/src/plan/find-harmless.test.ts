import { describe, expect, test } from 'vitest'
import { solveLoop, sourceAt } from '../loop/loop-flows.ts'
import { filled } from '../loop/sample-loop.testkit.ts'
import { type Decision, doubtOf, findHarmless, type SafeLimits } from './find-harmless.ts'
import { createSampleStation, firstStep } from './sample-station.testkit.ts'

const COUNT = 12
const order = { ...firstStep(createSampleStation(COUNT, 3)), openings: filled(COUNT, 0.6) }
const range = { min: filled(COUNT, 0.1), max: filled(COUNT, 1) }
const solve: SafeLimits['solve'] = (openings, headPa) =>
  solveLoop(order.records.loop, openings, sourceAt(order.pump, headPa))
const nowKgS = solve(order.openings, order.readings.headPa).flowKgS
const none = filled(COUNT, 0)

/** The harmless decision nearest to some openings, 0..1, by consumer. */
function decide(wanted: ReadonlyMap<number, number>, limits: Partial<SafeLimits>): Float64Array {
  const safe: SafeLimits = {
    minKgS: none,
    coldKgS: none,
    objections: new Map(),
    solve,
    doubt: doubtOf({}, 'metered'),
    ...limits,
  }
  const found = findHarmless(order, range, safe, (allowed): Decision => {
    const openings = order.openings.map((now, i) =>
      Math.min(allowed.range.max[i] ?? 1, Math.max(allowed.range.min[i] ?? 0, wanted.get(i) ?? now)),
    )
    const flows = solve(openings, order.readings.headPa)
    return {
      targets: {
        flowKgS: nowKgS,
        returnC: none,
        roomC: none,
        common: 0,
        limited: new Map(),
      },
      objected: new Map(),
      plan: {
        openings,
        moves: Array.from(wanted, ([consumer, to]) => ({ consumer, from: 0.6, to })),
        headPa: flows.headPa,
        flows,
        starved: [],
        spared: [],
        overfed: [],
        scale: 1,
        heldBack: [],
      },
    }
  })
  return found.plan.openings
}

test('a valve that would close too far closes less, and the others open as ordered', () => {
  const minKgS = nowKgS.map((flow, i) => (i === 4 ? 0.8 * flow : 0))
  const wanted = new Map([
    [2, 0.7],
    [4, 0.2],
    [7, 0.35],
  ])
  expect(solve(decide(wanted, {}), 0).flowKgS[4]).toBeLessThan(0.7 * (nowKgS[4] ?? 0))
  const openings = decide(wanted, { minKgS })
  expect([openings[2], openings[7]]).toEqual([0.7, 0.35])
  expect(openings[4]).toBeLessThan(0.6)
  const [flow = 0] = [solve(openings, 0).flowKgS[4]]
  expect(flow).toBeGreaterThan(0.79 * (nowKgS[4] ?? 0))
  expect(flow).toBeLessThan(0.9 * (nowKgS[4] ?? 0))
})

describe('a consumer with cold rooms', () => {
  const cold = 0
  const coldKgS = nowKgS.map((flow, i) => (i === cold ? flow : 0))
  const limits = { coldKgS, minKgS: coldKgS, objections: new Map([[cold, 'cold' as const]]) }
  const wanted = new Map([
    [1, 0.75],
    [2, 0.75],
    [3, 0.3],
    [5, 0.35],
  ])
  /** Its flow beside now if others open and close by these factors of the planned moves. */
  const flowAt = (openings: Float64Array, opens: number, closes: number): number => {
    const moved = openings.map((to, i) => {
      const from = order.openings[i] ?? to
      return Math.min(1, from + (to > from ? opens : closes) * (to - from))
    })
    return (solve(moved, 0).flowKgS[cold] ?? 0) / (nowKgS[cold] ?? 1)
  }

  test('keeps its flow if valves open further and close less than planned', () => {
    const planned = decide(wanted, {})
    expect(flowAt(planned, 1, 1)).toBeGreaterThan(0.995)
    expect(flowAt(planned, 1.3, 0.7)).toBeLessThan(0.99)
    const openings = decide(wanted, limits)
    expect(flowAt(openings, 1.3, 0.7)).toBeGreaterThan(0.99999)
    expect([openings[3], openings[5]]).toEqual([0.3, 0.35])
  })

  test('counts on less of the moves the less is known of valves, pipes and areas', () => {
    const unknown = { curves: Array.from({ length: COUNT }, () => 'assumed' as const) }
    const assumed = {
      ...unknown,
      assumed: {
        areas: new Uint8Array(COUNT).fill(1),
        plates: new Uint8Array(COUNT),
        pipes: new Uint8Array(COUNT),
      },
    }
    const known = doubtOf({}, 'temperature-only')
    const recorded = doubtOf(unknown, 'temperature-only')
    const guessed = doubtOf(assumed, 'temperature-only')
    expect(doubtOf(assumed, 'metered')).toEqual(known)
    expect([known.opens, recorded.opens, guessed.opens]).toEqual([1.3, 1.5, 2])
    expect([known.closes, recorded.closes, guessed.closes]).toEqual([0.7, 0.5, 0.3])
    const openings = decide(wanted, { ...limits, doubt: guessed })
    expect(flowAt(openings, 2, 0.3)).toBeGreaterThan(0.99999)
    expect(openings[1]).toBeLessThanOrEqual(decide(wanted, limits)[1] ?? 0)
  })
})
