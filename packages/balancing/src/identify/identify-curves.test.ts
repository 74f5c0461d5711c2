import { kvAtOpening, type ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { openingRatio, pascal } from '@isotherm/kernel/quantities'
import { runToEnd } from '@isotherm/kernel/run-to-end'
import { describe, expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { USUAL_SHARES } from '../loop/valve-shapes.ts'
import { type CurveOrder, identifyCurves } from './identify-curves.ts'

const COUNT = 12
const HEAD_PA = 90_000
const loop = createSampleLoop(COUNT)
const SHAPES = ['equal-percentage', 'linear', 'quick-opening'] as const
type Shape = (typeof SHAPES)[number]

const shapeValve = (valve: ValveCharacteristic, shape: Shape): ValveCharacteristic =>
  shape === 'equal-percentage' ? valve : { kind: shape, kvs: valve.kvs }

/** Every second valve closes or opens by 30 %; the others stay. */
const start = filled(COUNT, 0.6).map((opening, i) => (i % 4 === 0 ? 0.35 : opening))
const then = start.map((opening, i) => (i % 4 === 0 ? 0.65 : i % 4 === 2 ? 0.3 : opening))

interface Course {
  /** The real shape of each valve; the recorded one is equal-percentage. */
  readonly shape?: (i: number) => Shape
  /** Commanded openings of all valves, by snapshot. */
  readonly commanded?: readonly Float64Array[]
  /** Where the stems are; as commanded without it. */
  readonly stems?: readonly Float64Array[]
  readonly headPa?: readonly number[]
}

/** What exact meters show of a loop that is as recorded except for the shapes of its valves. */
function orderOf(
  { shape = () => 'equal-percentage', commanded = [start, then], stems = commanded, headPa = [] }: Course,
  change: Partial<CurveOrder> = {},
): CurveOrder {
  const real = { ...loop, valves: loop.valves.map((valve, i) => shapeValve(valve, shape(i))) }
  const snapshots = commanded.map((openings, k) => {
    const head = pascal(headPa[k] ?? HEAD_PA)
    const { flowKgS } = solveLoop(real, stems[k] ?? openings, { kind: 'head', head })
    return { headPa: head, flowKgS, openings }
  })
  return {
    mains: loop,
    recorded: loop,
    unknown: loop.valves.map(() => true),
    snapshots,
    flowSigma: 0.012,
    repeatSigma: 0.015,
    ...change,
  }
}
const identify = (course: Course, change: Partial<CurveOrder> = {}) =>
  runToEnd(identifyCurves(orderOf(course, change)))
const findingOf = (i: number, course: Course, change: Partial<CurveOrder> = {}) => {
  const finding = identify(course, change)[i]
  if (finding === undefined) throw new Error(`no finding of valve ${i}`)
  return finding
}
const likeliest = (weights: readonly number[]) => weights.indexOf(Math.max(...weights))

describe('a curve that nobody stated', () => {
  test.each([0, 1, 2])('is found from a move, whatever the others have (%i)', (turn) => {
    const shapeOf = (i: number) => (turn + i / 2) % 3
    const found = identify({ shape: (i) => SHAPES[Math.floor(shapeOf(i))] ?? 'linear' })
    for (const i of [0, 2, 4, 6, 8, 10]) {
      const { weights, curve, states, likelihoods } = found[i] ?? findingOf(i, {})
      expect(likeliest(weights), `valve ${i}`).toBe(shapeOf(i))
      expect(likeliest(likelihoods), `valve ${i}`).toBe(shapeOf(i))
      expect(states.follows).toBeGreaterThan(0.9)
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9)
      const real = shapeValve(loop.valves[i] ?? curve, SHAPES[shapeOf(i)] ?? 'linear')
      const [found45, real45] = [curve, real].map((valve) => kvAtOpening(valve, openingRatio(0.45)))
      expect(Math.abs(Math.log((found45 ?? 0) / (real45 ?? 1)))).toBeLessThan(0.25)
    }
  })

  test('of a valve that did not move is more likely to be that of the others', () => {
    const linear = findingOf(1, { shape: () => 'linear' })
    const equal = findingOf(1, {})
    expect(linear.shares[1]).toBeGreaterThan((USUAL_SHARES[1] ?? 0) + 0.2)
    expect(equal.shares[0]).toBeGreaterThan((USUAL_SHARES[0] ?? 0) + 0.1)
    expect(linear.weights[1]).toBeGreaterThan((equal.weights[1] ?? 0) + 0.2)
    expect(linear.shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9)
  })

  test('leaves more shapes possible if the valve has no Kvs of its own', () => {
    const shape = () => 'linear' as const
    const sure = (plates: Uint8Array | undefined) =>
      Math.max(...findingOf(1, { shape }, { plates }).likelihoods)
    const spread = (plates: Uint8Array | undefined) => {
      const { likelihoods } = findingOf(1, { shape }, { plates })
      return Math.max(...likelihoods) / Math.min(...likelihoods)
    }
    expect(spread(new Uint8Array(COUNT).with(1, 1))).toBeLessThan(spread(undefined))
    expect(sure(new Uint8Array(COUNT))).toBe(sure(undefined))
  })
})

test('a stated curve stays as it is, and only its stem is judged', () => {
  for (const unknown of [undefined, loop.valves.map((_, i) => i !== 2)]) {
    const stuck = then.with(2, start[2] ?? 0)
    const { curves, weights, likelihoods, curve, states } = findingOf(
      2,
      { stems: [start, stuck] },
      { unknown },
    )
    expect([curves, weights, likelihoods]).toEqual([[loop.valves[2]], [1], []])
    expect(curve).toBe(loop.valves[2])
    expect(states.stays).toBeGreaterThan(0.95)
  }
})

describe('a change of flow', () => {
  test('is expected by the curve and seen without what all flows have in common', () => {
    for (const headPa of [[], [HEAD_PA, HEAD_PA], [HEAD_PA, 0.9 * HEAD_PA]]) {
      const found = identify({ headPa })
      const [opened, closed, still] = [found[0], found[2], found[1]]
      expect(opened?.expected).toBeGreaterThan(0.2)
      expect(closed?.expected).toBeLessThan(-0.2)
      expect(Math.abs(still?.expected ?? 1)).toBeLessThan(1e-9)
      for (const each of [opened, closed, still])
        expect(Math.abs((each?.seen ?? 9) - (each?.expected ?? 0))).toBeLessThan(0.08)
      for (const { sigma } of found) {
        expect(sigma).toBeGreaterThanOrEqual(0.015)
        expect(sigma).toBeLessThan(0.03)
      }
    }
  })

  test('is that of the newest move', () => {
    const { expected, seen, states } = findingOf(0, { commanded: [start, then, start] })
    const first = findingOf(0, {})
    expect(expected).toBeCloseTo(-first.expected, 1)
    expect(seen).toBeCloseTo(-first.seen, 1)
    expect(states.follows).toBeGreaterThan(0.9)
  })

  test('that meters of all consumers show alike is not that of a valve', () => {
    const { snapshots } = orderOf({})
    const shifted = snapshots.map((each, k) =>
      k === 0 ? each : { ...each, flowKgS: each.flowKgS.map((flow) => 1.2 * flow) },
    )
    const found = identify({}, { snapshots: shifted })
    for (const { seen, expected, states } of found) {
      expect(Math.abs(seen - expected)).toBeLessThan(0.12)
      expect(states.follows).toBeGreaterThan(0.8)
    }
  })
})

describe('a stem', () => {
  const stems = (newest: number, between?: number) => {
    const middle = then.with(2, between ?? then[2] ?? 0)
    return between === undefined ? [start, then.with(2, newest)] : [start, middle, start.with(2, newest)]
  }
  const back = { commanded: [start, then, start] }

  test('stays if its flow does not change', () => {
    expect(findingOf(2, { stems: stems(0.6) }).states.stays).toBeGreaterThan(0.9)
    expect(findingOf(2, { ...back, stems: stems(0.6, 0.6) }).states.stays).toBeGreaterThan(0.9)
  })

  test('stops or slips in its newest move only after it followed another one', () => {
    const { states } = findingOf(2, { ...back, stems: stems(0.3, 0.3) })
    expect(states.stops).toBeGreaterThan(0.8)
    const slipping = findingOf(2, { ...back, stems: stems(0.36, 0.3) }).states
    expect(slipping.slips).toBeGreaterThan(0.7)
    const once = findingOf(2, { stems: stems(0.54) }).states
    expect([once.stops, once.slips]).toEqual([0, 0])
  })

  test('without a command can neither stay nor stop', () => {
    const { states } = findingOf(1, back)
    expect(states).toEqual({ follows: expect.closeTo(1, 9), stays: 0, stops: 0, slips: 0 })
    // A command of 1 % is within the error of a position.
    const little = [start, start.with(1, 0.61)]
    expect(findingOf(1, { commanded: little, stems: [start, start] }).states.follows).toBeCloseTo(1, 9)
  })

  test('that stays shows nothing of its curve', () => {
    const { weights, shares, states } = findingOf(2, { shape: () => 'linear', stems: stems(0.6) })
    expect(states.follows).toBeLessThan(0.5)
    expect(weights).toEqual(shares)
  })
})

describe('a position that a motor reports', () => {
  /** How much more likely it is that valve 2 stayed than that it followed, after a move to this opening. */
  const oddsOf = (to: number, shown: number | undefined) => {
    const commanded = [start, start.with(2, to)]
    const reported = shown === undefined ? undefined : filled(COUNT, Number.NaN).with(2, shown)
    const { states } = findingOf(2, { commanded }, { reported, unknown: undefined })
    return states.stays / states.follows
  }
  const factor = (to: number, shown: number) => oddsOf(to, shown) / oddsOf(to, undefined)

  test('where it was before shows that it stayed, and the commanded one that it followed', () => {
    expect(factor(0.57, 0.6)).toBeCloseTo(0.5 / 0.01, 6)
    expect(factor(0.57, 0.588)).toBeCloseTo(0.5 / 0.01, 6)
    expect(factor(0.57, 0.57)).toBeCloseTo(0.5 / 0.99, 6)
    expect(factor(0.57, 0.558)).toBeCloseTo(0.5 / 0.99, 6)
  })

  test('is no evidence elsewhere, and after a move within its error', () => {
    expect(factor(0.54, 0.57)).toBeCloseTo(1, 9)
    expect(factor(0.57, 0.63)).toBeCloseTo(1, 9)
    const { states } = findingOf(
      2,
      { commanded: [start, start.with(2, 0.59)] },
      { reported: filled(COUNT, 0.6), unknown: undefined },
    )
    expect(states.follows).toBeCloseTo(1, 9)
  })

  test('counts for the nearer one of two positions that are near to each other', () => {
    expect(factor(0.58, 0.592)).toBeCloseTo(0.5 / 0.01, 6)
    expect(factor(0.58, 0.588)).toBeCloseTo(0.5 / 0.99, 6)
  })
})

test('a consumer without a flow or with a shut valve explains nothing, and changes nothing of the others', () => {
  const { snapshots } = orderOf({})
  const [first, second] = snapshots
  if (first === undefined || second === undefined) throw new Error('no snapshots')
  const without = { ...second, flowKgS: second.flowKgS.with(2, 0) }
  const shut = { ...second, openings: second.openings.with(2, 0) }
  const usual = identify({})
  for (const changed of [without, shut]) {
    const found = identify({}, { snapshots: [first, changed] })
    expect(found[2]).toMatchObject({
      likelihoods: [],
      states: { follows: 1, stays: 0, stops: 0, slips: 0 },
      expected: Number.NaN,
      seen: Number.NaN,
      sigma: Number.NaN,
    })
    expect(found[2]?.weights).toEqual(found[2]?.shares)
    expect(found[0]?.states.follows).toBeCloseTo(usual[0]?.states.follows ?? 0, 1)
  }
})

test('an identification yields after every 64 valves of its four passes', () => {
  const many = createSampleLoop(130)
  const openings = filled(130, 0.6)
  const { flowKgS, headPa } = solveLoop(many, openings, { kind: 'head', head: pascal(HEAD_PA) })
  const order = { mains: many, recorded: many, snapshots: [{ headPa, flowKgS, openings }] }
  const steps = identifyCurves({ ...order, flowSigma: 0.012, repeatSigma: 0.015 })
  let slices = 0
  while (!steps.next().done) slices += 1
  expect(slices).toBe(4 * 2)
})
