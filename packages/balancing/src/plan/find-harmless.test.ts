import { describe, expect, test } from 'vitest'
import { type PumpFreedom, solveLoop, sourceAt } from '../loop/loop-flows.ts'
import { filled } from '../loop/sample-loop.testkit.ts'
import type { OpeningRange } from '../moves/moves-within.ts'
import type { ThermalModel } from '../rooms/thermal-model.ts'
import {
  type Decision,
  doubtOf,
  findFloors,
  findHarmless,
  listCold,
  listShort,
  type SafeLimits,
} from './find-harmless.ts'
import { createSampleStation, firstStep } from './sample-station.testkit.ts'

const COUNT = 12
const order = { ...firstStep(createSampleStation(COUNT, 3)), openings: filled(COUNT, 0.6) }
const range = { min: filled(COUNT, 0.1), max: filled(COUNT, 1) }
const solve: SafeLimits['solve'] = (openings, headPa) =>
  solveLoop(order.records.loop, openings, sourceAt(order.pump, headPa))
const nowKgS = solve(order.openings, order.readings.headPa).flowKgS
const none = filled(COUNT, 0)

/** Openings within a range, the nearest to some of them, 0..1, by consumer. */
const openingsWithin = (wanted: ReadonlyMap<number, number>, allowed: OpeningRange): Float64Array =>
  order.openings.map((now, i) =>
    Math.min(allowed.max[i] ?? 1, Math.max(allowed.min[i] ?? 0, wanted.get(i) ?? now)),
  )

/** The harmless decision nearest to some openings, 0..1, by consumer, with the present head. */
function find(
  wanted: ReadonlyMap<number, number>,
  limits: Partial<SafeLimits>,
  openingsOf = (allowed: OpeningRange) => openingsWithin(wanted, allowed),
  given: OpeningRange = range,
): Decision {
  const safe: SafeLimits = {
    minKgS: none,
    coldKgS: none,
    objections: new Map(),
    solve,
    model: order.records.loop,
    doubt: doubtOf({}, 'metered'),
    ...limits,
  }
  return findHarmless(order, given, safe, (allowed) => {
    const openings = openingsOf(allowed.range)
    const moves = Array.from(wanted, ([consumer, to]) => ({ consumer, from: 0.6, to }))
    return decisionOf(openings, solve(openings, order.readings.headPa), moves)
  })
}

const decisionOf = (
  openings: Float64Array,
  flows: ReturnType<typeof solve>,
  moves: Decision['plan']['moves'],
): Decision => ({
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
    moves,
    headPa: flows.headPa,
    flows,
    starved: [],
    spared: [],
    overfed: [],
    scale: 1,
    heldBack: [],
  },
})

const decide = (wanted: ReadonlyMap<number, number>, limits: Partial<SafeLimits>): Float64Array =>
  find(wanted, limits).plan.openings

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

  test('trusts recorded pipes and areas more than assumed ones', () => {
    const recorded = {
      curves: ['assumed' as const],
      assumed: { areas: Uint8Array.of(0), plates: Uint8Array.of(1), pipes: Uint8Array.of(0) },
    }
    const withPart = (part: 'areas' | 'pipes') =>
      doubtOf({ ...recorded, assumed: { ...recorded.assumed, [part]: Uint8Array.of(1) } }, 'temperature-only')
    expect(doubtOf(recorded, 'temperature-only')).toEqual({ opens: 1.5, closes: 0.5, own: 1 / 1.5 })
    expect(withPart('areas')).toEqual({ opens: 2, closes: 0.3, own: 1 / 2 })
    expect(withPart('pipes')).toEqual({ opens: 2, closes: 0.3, own: 1 / 2 })
  })

  test('counts on less of the opening of its own valve', () => {
    const others = [
      [1, 0.8],
      [2, 0.8],
      [4, 0.8],
    ] as const
    const withOwn = (to: number) => decide(new Map([[cold, to], ...others]), limits)
    expect(others.map(([i]) => withOwn(0.65)[i])).toEqual([0.8, 0.8, 0.8])
    // The planned opening of 0.638 would be enough for 0.8; that of 0.6 + 0.038/1.3 is not.
    const openings = withOwn(0.638)
    expect(others.filter(([i, to]) => (openings[i] ?? 0) < to).length).toBeGreaterThan(0)
    const worse = openings.map((to, i) => (i === cold ? 0.6 + (to - 0.6) / 1.3 : 0.6 + 1.3 * (to - 0.6)))
    expect((solve(worse, 0).flowKgS[cold] ?? 0) / (nowKgS[cold] ?? 1)).toBeGreaterThan(0.99999)
  })

  test('keeps only those valves from opening that would take its flow', () => {
    // 1 is next to it and has cold rooms too; 8 to 11 are another street.
    const both = nowKgS.map((flow, i) => (i < 2 ? flow : 0))
    const objections = new Map([
      [0, 'cold' as const],
      [1, 'cold' as const],
    ])
    const street = new Map([
      [1, 1],
      [8, 0.3],
      [9, 0.3],
      [10, 0.65],
      [11, 0.65],
    ])
    const openings = decide(street, { coldKgS: both, minKgS: both, objections })
    expect(openings[1]).toBeLessThan(1)
    expect([openings[10], openings[11]]).toEqual([0.65, 0.65])
    expect(flowAt(openings.with(1, 0.6), 1.3, 0.7)).toBeGreaterThan(0.99999)
  })

  test('opens only as far as it takes no flow from another one', () => {
    const both = nowKgS.map((flow, i) => (i < 2 ? flow : 0))
    const found = find(
      new Map([
        [0, 0.9],
        [3, 0.45],
      ]),
      {
        coldKgS: both,
        minKgS: both,
        objections: new Map([
          [0, 'cold'],
          [1, 'starved'],
        ]),
      },
    )
    const [own = 0, closed] = [found.plan.openings[0], found.plan.openings[3]]
    expect(closed).toBe(0.45)
    expect(own).toBeCloseTo(0.67, 9)
    // Its opening and the closing that is planned with it.
    const worse = order.openings.with(0, own).with(3, 0.6 - 0.7 * 0.15)
    expect(solve(worse, 0).flowKgS[1]).toBeGreaterThan(0.99999 * (nowKgS[1] ?? 0))
  })

  test('loses no flow to another one whose valve opens as planned while its own opens less', () => {
    const both = nowKgS.map((flow, i) => (i < 2 ? flow : 0))
    const objections = new Map([
      [0, 'cold' as const],
      [1, 'cold' as const],
    ])
    const pair = new Map([
      [0, 0.9],
      [1, 0.64],
      [3, 0.3],
      [5, 0.35],
    ])
    const openings = decide(pair, { coldKgS: both, minKgS: both, objections })
    const worse = openings.map((to, i) => {
      const from = order.openings[i] ?? to
      return i === 1 ? from + (to - from) / 1.3 : i === 0 ? to : from + (to > from ? 1.3 : 0.7) * (to - from)
    })
    expect((solve(worse, 0).flowKgS[1] ?? 0) / (nowKgS[1] ?? 1)).toBeGreaterThan(0.99999)
  })

  test('keeps its flow if rooms of others become too cold in any case', () => {
    const minKgS = coldKgS.map((min, i) => (i === 4 ? 1.5 * (nowKgS[4] ?? 0) : min))
    const openings = decide(wanted, { ...limits, minKgS })
    expect([openings[3], openings[5]]).toEqual([0.3, 0.35])
    expect(openings[2]).toBeLessThan(0.75)
    expect(flowAt(openings, 1.3, 0.7)).toBeGreaterThan(0.99999)
  })

  test('nothing moves if no plan leaves it enough', () => {
    const never = nowKgS.map((flow, i) => (i === cold ? 2 * flow : 0))
    const { plan } = find(wanted, { ...limits, coldKgS: never, minKgS: never })
    expect(plan.openings).toEqual(order.openings)
    expect(plan.moves).toEqual([])
    expect(plan.flows.flowKgS).toEqual(nowKgS)
    expect(plan.headPa).toBe(solve(order.openings, order.readings.headPa).headPa)
  })
})

describe('where not all valves can open as far as ordered', () => {
  /** Limits at which consumer 0 just has enough if these valves are at these openings, 0..1. */
  const justEnoughAt = (...worst: readonly (readonly [number, number])[]) => {
    const at = order.openings.slice()
    for (const [i, opening] of worst) at[i] = opening
    const { flowKgS } = solve(at, 0)
    const coldKgS = flowKgS.map((flow, i) => (i === 0 ? flow : 0))
    return { coldKgS, minKgS: coldKgS, objections: new Map([[0, 'cold' as const]]) }
  }

  test('others keep enough for rooms that are not cold yet too', () => {
    const minKgS = nowKgS.map((flow, i) => (i === 0 ? flow : 0))
    const wanted = new Map([
      [1, 0.95],
      [2, 0.95],
    ])
    expect(solve(decide(wanted, {}), 0).flowKgS[0]).toBeLessThan(0.98 * (nowKgS[0] ?? 0))
    const openings = decide(wanted, { minKgS })
    expect(solve(openings, 0).flowKgS[0]).toBeGreaterThanOrEqual(0.99 * (nowKgS[0] ?? 0))
    expect(openings[1]).toBeGreaterThan(0.6)
  })

  test('they open the largest common share in sixteenths, and then single ones by steps of the motor', () => {
    // 0.8 of the way from 0.6 to 0.9 is harmless, with 1.3 of the travel: twelve sixteenths are 0.825, and 0.835 is 0.25 of the rest.
    const limits = justEnoughAt([1, 0.6 + 1.3 * 0.8 * 0.3])
    expect(decide(new Map([[1, 0.9]]), limits)[1]).toBeCloseTo(0.835, 9)
    // 0.1 of the way: one sixteenth.
    expect(decide(new Map([[1, 0.9]]), justEnoughAt([1, 0.6 + 1.3 * 0.07 * 0.3]))[1]).toBeCloseTo(0.61875, 9)
  })

  test('a valve opens to its lowest allowed opening even then', () => {
    const limits = justEnoughAt([9, 0.6 + 1.3 * 0.05])
    const given = { ...range, min: range.min.with(9, 0.65) }
    const wanted = new Map([[1, 0.9]])
    const { plan } = find(wanted, limits, (allowed) => openingsWithin(wanted, allowed), given)
    expect(plan.openings[9]).toBe(0.65)
  })

  test('found openings stay if a plan within them would harm', () => {
    // This planner closes valve 3 less as soon as valve 2 may open.
    const openingsOf = ({ min, max }: OpeningRange) => {
      const mayOpen = (max[2] ?? 0) > 0.6
      const wanted = new Map([
        [2, 0.65],
        [3, mayOpen ? 0.59 : 0.3],
        [11, 0.585],
      ])
      return openingsWithin(wanted, { min, max })
    }
    const limits = justEnoughAt([2, 0.6 + 1.3 * 0.05], [3, 0.6 - 0.7 * 0.3], [11, 0.6 - 0.7 * 0.015])
    const { plan } = find(new Map(), limits, openingsOf)
    expect(plan.openings).toEqual(order.openings.with(2, 0.65).with(3, 0.3).with(11, 0.585))
    expect(plan.moves).toEqual([
      { consumer: 2, from: 0.6, to: 0.65 },
      { consumer: 3, from: 0.6, to: 0.3 },
      { consumer: 11, from: 0.6, to: 0.585 },
    ])
    expect(plan.flows.flowKgS).toEqual(solve(plan.openings, 0).flowKgS)
  })
})

describe('a pump that can be set', () => {
  const presentPa = order.readings.headPa
  const pump: PumpFreedom = { kind: 'free', maxHeadPa: 2 * presentPa }
  const solveAt: SafeLimits['solve'] = (openings, headPa) =>
    solveLoop(order.records.loop, openings, sourceAt(pump, headPa))
  const now = solveAt(order.openings, presentPa).flowKgS
  const closed = order.openings.with(7, 0.45)

  /** The head of the harmless decision nearest to another head, as a share of the present one. */
  function findHead(given: PumpFreedom, wanted: number, coldKgS: Float64Array): number {
    const safe: SafeLimits = {
      minKgS: coldKgS,
      coldKgS,
      objections: new Map([[0, 'cold']]),
      solve: solveAt,
      model: order.records.loop,
      doubt: doubtOf({}, 'metered'),
    }
    const found = findHarmless({ ...order, pump: given }, range, safe, (allowed) => {
      const least = allowed.pump.kind === 'free' ? (allowed.pump.minHeadPa ?? 0) : 0
      return decisionOf(closed, solveAt(closed, Math.max(least, wanted * presentPa)), [])
    })
    // Only the head is another one: the valve closes as ordered.
    expect(found.plan.openings).toEqual(closed)
    return found.plan.headPa / presentPa
  }

  test('is not set to less than now if cold rooms would lose flow', () => {
    expect(findHead(pump, 0.8, none)).toBeCloseTo(0.8, 9)
    const cold = now.map((flow, i) => (i === 0 ? flow : 0))
    expect(findHead(pump, 0.8, cold)).toBeCloseTo(1, 9)
    expect(findHead({ ...pump, minHeadPa: 1.1 * presentPa }, 1, cold)).toBeCloseTo(1.1, 9)
  })
})

test('a consumer is short from one per cent below its minimum on', () => {
  const { plan } = find(new Map(), {})
  const safe: SafeLimits = {
    minKgS: none,
    coldKgS: none,
    objections: new Map(),
    solve,
    model: order.records.loop,
    doubt: doubtOf({}, 'metered'),
  }
  const shortAt = (share: number) =>
    listShort(
      plan,
      nowKgS.map((flow, i) => (i === 5 ? flow / share : 0)),
      safe,
    )
  expect(shortAt(0.995)).toEqual([])
  expect(shortAt(0.985)).toEqual([5])
  expect(listShort(plan, none, safe)).toEqual([])
})

test('rooms that are only colder than others are not cold', () => {
  const objections = new Map([
    [0, 'cold' as const],
    [1, 'colder' as const],
    [2, 'starved' as const],
  ])
  expect(listCold(objections)).toEqual(new Set([0, 2]))
})

describe('floors', () => {
  const { areaM2, emitter = none, exponent } = order.records
  const thermal: ThermalModel = {
    outdoorC: -5,
    supplyC: filled(COUNT, 46),
    exponent,
    coefficient: emitter,
    lossWK: areaM2.map((area) => (35 * area) / 30),
  }
  const roomC = filled(COUNT, 20.5)
  const readings = { ...order.readings, roomC }
  const coldestRoomC = roomC.map((room, i) => (i === 3 ? 18.2 : room - 1))
  const objections = new Map([
    [0, 'starved' as const],
    [1, 'colder' as const],
  ])
  const given = { ...order, readings, coldestRoomC }
  const present = { nowKgS, modelKgS: nowKgS }

  test('are the present flow of cold rooms, and the legal flow of others', () => {
    const { minKgS, coldKgS } = findFloors(given, thermal, present, objections, undefined)
    expect(coldKgS).toEqual(nowKgS.map((flow, i) => (i === 0 ? flow : 0)))
    // The coldest room of consumer 3 is within 0.3 K of the legal minimum.
    expect([minKgS[0], minKgS[3]]).toEqual([nowKgS[0], nowKgS[3]])
    for (const i of [1, 2, 4]) {
      expect(minKgS[i]).toBeGreaterThan(0)
      expect(minKgS[i]).toBeLessThan(nowKgS[i] ?? 0)
    }
  })

  test('are the flows of the model where a clogged strainer passes less, and no more than the model reaches', () => {
    const modelKgS = nowKgS.with(0, 2 * (nowKgS[0] ?? 0)).with(3, 0.8 * (nowKgS[3] ?? 0))
    const { minKgS, coldKgS } = findFloors(given, thermal, { nowKgS, modelKgS }, objections, undefined)
    expect([minKgS[0], coldKgS[0]]).toEqual([modelKgS[0], modelKgS[0]])
    expect(minKgS[3]).toBe(modelKgS[3])
  })

  test('leave no warm room without one if a plan cools rooms that are only estimated', () => {
    const unknown = filled(COUNT, Number.NaN)
    const without = { ...given, readings: { ...readings, roomC: unknown }, coldestRoomC: unknown }
    expect(findFloors(without, thermal, present, new Map(), undefined).minKgS).toEqual(none)
    const { minKgS } = findFloors(without, thermal, present, new Map(), roomC)
    expect(Math.min(...minKgS)).toBeGreaterThan(0)
  })

  test('do not limit a slot of a sequence', () => {
    const sequence = {
      ...given,
      goal: { kind: 'sequence' as const, share: filled(COUNT, 0.5), roomC: filled(COUNT, 18), frostC: 5 },
    }
    expect(findFloors(sequence, thermal, present, objections, roomC)).toEqual({
      minKgS: none,
      coldKgS: none,
    })
  })
})
