import { weightedDeviation } from '@isotherm/kernel/statistics'
import { describe, expect, test } from 'vitest'
import { planStep, type StepOrder } from '../plan/plan-step.ts'
import { createSampleStation, firstStep, type SampleStation } from '../plan/sample-station.testkit.ts'
import { NO_MEMORY } from '../step/step-memory.ts'
import { TRIM_SPAN } from './slow-trim.ts'

const COUNT = 24
const SEEDS = [1, 2, 3, 4, 5]
const DAYS = 14
/** Stems that slip after the balance, and by how much; the reported opening stays as commanded. */
const DRIFTED = [3, 8, 13, 18]
const SLIP = 0.07
const goal = { kind: 'temperature', target: 'return', method: 'slow-trim' } as const
const spread = (values: Float64Array): number => weightedDeviation(values) ?? Number.NaN
const blind = (station: SampleStation) => (openings: Float64Array) => ({
  ...station.readAt(openings),
  roomC: new Float64Array(COUNT).fill(Number.NaN),
})

/** A station balanced by the model in two rounds, and the order for its slow trim. */
function balance(seed: number) {
  const station = createSampleStation(COUNT, seed)
  const readAt = blind(station)
  let order: StepOrder = firstStep(station)
  for (let round = 0; round < 3; round++) {
    const { plan, memory } = planStep({ ...order, readings: readAt(order.openings) })
    order = { ...order, openings: plan.openings, memory, gateK: 0.4 }
  }
  const integralKd = new Float64Array(COUNT)
  const trim = { base: order.openings, integralKd, days: 1 }
  // A new campaign does not remember the valves of the one before.
  const own = { goal, gateK: 0, memory: NO_MEMORY, trim }
  return { readAt, order: { ...order, ...own, readings: readAt(order.openings) } }
}

/** Spread of returns by day, and the moves of each valve, with one trim a day. */
function drift(seed: number) {
  const { readAt, order: first } = balance(seed)
  const slip = first.openings.map((_, i) => (DRIFTED.includes(i) ? (i % 2 === 0 ? SLIP : -SLIP) : 0))
  const stems = (openings: Float64Array) =>
    openings.map((opening, i) => Math.min(1, opening + (slip[i] ?? 0)))
  const moves = Array.from({ length: COUNT }, (): number[] => [])
  const spreads: number[] = []
  let order: StepOrder & { trim: NonNullable<StepOrder['trim']> } = first
  for (let day = 0; day < DAYS; day++) {
    const readings = readAt(stems(order.openings))
    spreads.push(spread(readings.returnC))
    const { plan, trim } = planStep({ ...order, readings })
    for (const { consumer, from, to } of plan.moves) moves[consumer]?.push(to - from)
    // A step without moves is not stored.
    const next =
      plan.moves.length > 0
        ? { ...order.trim, ...trim, days: 1 }
        : { ...order.trim, days: Math.min(3, order.trim.days + 1) }
    order = { ...order, openings: plan.openings, trim: next }
  }
  return { balanced: spread(first.readings.returnC), spreads, moves, base: first.openings, order }
}

describe.each(SEEDS)('after a drift (%i)', (seed) => {
  test('the drift is removed in two weeks, within the span, with few moves', () => {
    const { balanced, spreads, moves, base, order } = drift(seed)
    const [before = 0] = spreads
    const after = spreads.at(-1) ?? 0
    expect(before - balanced).toBeGreaterThan(0.3)
    expect(after - balanced).toBeLessThan(0.1)
    for (const [i, opening] of order.openings.entries())
      expect(Math.abs(opening - (base[i] ?? 0))).toBeLessThanOrEqual(TRIM_SPAN + 1e-9)
    expect(Math.max(...moves.map(({ length }) => length))).toBeLessThanOrEqual(5)
    expect(moves.flat().length).toBeLessThanOrEqual(5 * DRIFTED.length)
  })

  test('no day is worse than the one before, and no valve moves back and forth', () => {
    const { spreads, moves } = drift(seed)
    for (const [day, each] of spreads.entries()) expect(each).toBeLessThan((spreads[day - 1] ?? 9) + 0.02)
    for (const own of moves) expect(own.filter((move, at) => move * (own[at - 1] ?? move) < 0)).toEqual([])
  })
})

describe('a step', () => {
  /** A balanced station, and the same after some stems have slipped open. */
  const slip = () => {
    const { readAt, order } = balance(2)
    const openings = order.openings.map((opening, i) => (DRIFTED.includes(i) ? opening + SLIP : opening))
    const drifted: StepOrder = { ...order, readings: readAt(openings) }
    return { order, drifted }
  }
  const movedBy = (given: StepOrder) => planStep(given).plan.moves.map(({ consumer }) => consumer)

  test('closes warm valves by less than 10 %, and leaves those near the mean', () => {
    const { order, drifted } = slip()
    const { plan, targets, trim, expected } = planStep(drifted)
    expect(plan.moves.map(({ consumer }) => consumer).filter((i) => !DRIFTED.includes(i))).toEqual([])
    expect(plan.moves.length).toBeGreaterThan(1)
    for (const { consumer, from, to } of plan.moves) {
      const errorK = (drifted.readings.returnC[consumer] ?? 0) - targets.common
      expect(errorK).toBeGreaterThan(0.5)
      expect(to).toBeLessThan(from)
      expect(from - to).toBeLessThan(0.05)
      expect(trim?.integralKd[consumer]).toBeCloseTo(errorK, 9)
    }
    expect(spread(expected.returnC)).toBeLessThan(spread(drifted.readings.returnC))
    expect(movedBy(order)).toEqual([])
  })

  test('moves further the longer the drift lasts', () => {
    const { order, drifted } = slip()
    const wayOf = (days: number) => {
      const trim = { base: order.openings, integralKd: new Float64Array(COUNT), days }
      return planStep({ ...drifted, trim }).plan.moves.reduce((sum, { from, to }) => sum + from - to, 0)
    }
    expect(wayOf(3)).toBeGreaterThan(wayOf(1))
  })

  test('moves nothing without a previous balance, nor valves that are fixed or at their range', () => {
    const { order, drifted } = slip()
    expect(movedBy({ ...drifted, trim: undefined })).toEqual([])
    const isFixed = order.isFixed.map((_, i) => (i === DRIFTED[0] ? 1 : 0))
    expect(movedBy({ ...drifted, isFixed })).not.toContain(DRIFTED[0])
    const limits = { min: order.openings, max: order.openings }
    expect(movedBy({ ...drifted, limits })).toEqual([])
  })

  test('closes no valve whose rooms are cold, and does not accumulate its error', () => {
    const { drifted } = slip()
    const readings = { ...drifted.readings, roomC: new Float64Array(COUNT).fill(17) }
    const { plan, objected, trim } = planStep({ ...drifted, readings })
    expect(plan.moves.filter(({ from, to }) => to < from)).toEqual([])
    expect(objected.size).toBeGreaterThan(1)
    for (const i of objected.keys()) expect(trim?.integralKd[i]).toBe(0)
  })

  test('does not wind up at the end of its span', () => {
    const { order, drifted } = slip()
    let given: StepOrder = drifted
    for (let day = 0; day < 60; day++) {
      const { trim } = planStep(given)
      given = { ...given, trim: trim && { ...trim, days: 1 } }
    }
    const max = Math.max(...(given.trim?.integralKd ?? []))
    const { trim } = planStep(given)
    expect(Math.max(...(trim?.integralKd ?? []))).toBe(max)
    expect(movedBy({ ...given, readings: order.readings })).toEqual([])
  })
})
