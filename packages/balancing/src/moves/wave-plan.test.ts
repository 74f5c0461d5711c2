import { pascal } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { invert } from '../invert/invert.ts'
import { solveLoop } from '../loop/loop-flows.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { planRollback, planWaves, type WaveOrder, type WavePlan } from './wave-plan.ts'

const COUNT = 24
const loop = createSampleLoop(COUNT)
const before = Float64Array.from({ length: COUNT }, (_, i) => (i < 16 ? 0.9 : 0.4))
const { openings, headPa } = invert(loop, {
  targetKgS: filled(COUNT, 1),
  openings: before,
  isFixed: new Uint8Array(COUNT),
  servedShare: 1,
  shortRms: 0,
  shortage: 'shared',
  minOpening: 0.1,
  indexOpening: 0.95,
  pump: { kind: 'free', maxHeadPa: 1e6 },
})
const order: WaveOrder = {
  openings: before,
  headPa: 1.3 * headPa,
  finalHeadPa: headPa,
  moves: Array.from(openings, (to, consumer) => ({ consumer, from: before[consumer] ?? 0, to })),
  pump: { kind: 'free', maxHeadPa: 1e6 },
  closingWaves: 3,
}

test('the head falls first, consumers with too little flow open next, then the others close in waves, the far ones first', () => {
  const plan = planWaves(loop, order)
  expect(plan.steps.map(({ kind }) => kind)).toEqual(['pump', 'open', 'close', 'close', 'close'])
  const closing = plan.steps.flatMap((step) => (step.kind === 'close' ? step.moves : []))
  expect(closing.length).toBe(order.moves.filter(({ from, to }) => to < from).length)
  expect(closing.findIndex(({ consumer }) => consumer === 15)).toBeLessThan(
    closing.findIndex(({ consumer }) => consumer === 0),
  )
})

test('a pump whose head must rise does so last', () => {
  const rising = planWaves(loop, { ...order, headPa: headPa / 2 })
  expect(rising.steps.at(-1)).toMatchObject({ kind: 'pump', headPa })
  expect(rising.steps[0]?.kind).toBe('open')
})

test('a closing wave takes no flow from valves that close later', () => {
  const plan = planWaves(loop, order)
  const closing = plan.steps.filter((step) => step.kind === 'close')
  closing.forEach((step, index) => {
    const next = closing[index + 1]
    if (next?.kind !== 'close') return
    const later = closing.slice(index + 2).flatMap((wave) => (wave.kind === 'close' ? wave.moves : []))
    for (const { consumer } of later)
      expect(next.after.flowKgS[consumer]).toBeGreaterThan((step.after.flowKgS[consumer] ?? 0) - 1e-9)
  })
})

test('after the last step the flows are the targets', () => {
  const plan = planWaves(loop, order)
  for (const flow of plan.steps.at(-1)?.after.flowKgS ?? []) expect(flow).toBeCloseTo(1, 4)
})

test('every step allows 70 % of each predicted flow and 30 % around the predicted head', () => {
  const plan = planWaves(loop, order)
  expect(plan.maxUnansweredShare).toBe(0.03)
  for (const { after } of plan.steps) {
    after.flowKgS.forEach((flow, i) => {
      expect(after.minFlowKgS[i]).toBeCloseTo(0.7 * flow, 9)
    })
    expect(after.minHeadPa).toBeCloseTo(0.7 * after.headPa, 6)
    expect(after.maxHeadPa).toBeCloseTo(1.3 * after.headPa, 6)
  }
})

const now = solveLoop(loop, before, { kind: 'head', head: pascal(1.3 * headPa) }).flowKgS

test('a consumer starves only below its flow before the round, less three errors of its meter or one digit', () => {
  const [tiny, unmetered] = [1, 2]
  const meterKgS = now.slice()
  meterKgS[tiny] = 0.01
  meterKgS[unmetered] = Number.NaN
  const steps = planWaves(loop, { ...order, meterKgS }).steps.filter(({ kind }) => kind !== 'pump')
  const minFlowOf = (i: number) => steps[0]?.after.minFlowKgS[i] ?? Number.NaN
  const expected = (i: number) => steps[0]?.after.flowKgS[i] ?? Number.NaN
  expect(minFlowOf(tiny)).toBeCloseTo(0.01 - 0.0027, 9)
  expect(minFlowOf(unmetered)).toBeCloseTo(0.7 * expected(unmetered), 9)
  // A consumer that gets more without a move of its own valve, by more than the allowance.
  meterKgS[0] = 0.5 * expected(0)
  const [more] = planWaves(loop, { ...order, meterKgS }).steps.filter(({ kind }) => kind !== 'pump')
  expect(more?.after.minFlowKgS[0]).toBeCloseTo((1 - 3 * 0.012) * 0.5 * expected(0), 9)
  // A closing valve has less than before by plan: the prediction counts.
  const last = steps.at(-1)
  expect(last?.after.minFlowKgS[3]).toBeCloseTo(0.7 * (last?.after.flowKgS[3] ?? 0), 9)
})

test('a valve that fails to open does not count as starved, also if others that open take flow from it', () => {
  const opening = order.moves
    .filter(({ from, to }) => to > from)
    .map(({ consumer, from, to }) => ({ consumer, from, to: from + 0.4 * (to - from) }))
  expect(opening.length).toBeGreaterThan(4)
  const moved = { ...order, finalHeadPa: order.headPa, meterKgS: now, moves: opening }
  const [wave] = planWaves(loop, moved).steps
  const after = before.slice()
  for (const { consumer, to } of opening) after[consumer] = to
  for (const { consumer, from } of opening) {
    const openings = after.with(consumer, from)
    const flows = solveLoop(loop, openings, { kind: 'head', head: pascal(order.headPa) }).flowKgS
    const [was, flow] = [now[consumer] ?? Number.NaN, flows[consumer] ?? Number.NaN]
    expect(flow).toBeLessThan((1 - 3 * 0.012) * was)
    expect(flow).toBeGreaterThan(wave?.after.minFlowKgS[consumer] ?? Number.NaN)
    // Below 70 % of its flow before the round it counts as starved nevertheless.
    expect(wave?.after.minFlowKgS[consumer]).toBeGreaterThanOrEqual(0.7 * (1 - 3 * 0.012) * was)
  }
})

test('a rollback restores the openings and the head, whichever step was the last', () => {
  const plan = planWaves(loop, order)
  for (let done = 0; done <= plan.steps.length; done++) {
    const back = planRollback(loop, order, plan.steps.slice(0, done))
    const position = before.slice()
    for (const step of plan.steps.slice(0, done)) {
      if (step.kind !== 'pump') for (const { consumer, to } of step.moves) position[consumer] = to
    }
    for (const step of back.steps) {
      if (step.kind !== 'pump') for (const { consumer, to } of step.moves) position[consumer] = to
    }
    expect(position).toEqual(before)
    if (done > 0) expect(back.steps.at(-1)).toMatchObject({ kind: 'pump', headPa: order.headPa })
  }
})

const closed = (plan: WavePlan): number[][] =>
  plan.steps.flatMap((step) => (step.kind === 'close' ? [step.moves.map(({ consumer }) => consumer)] : []))

test('closing valves are split into waves of nearly the same length, in the order of their distance', () => {
  const pipesTo = (consumer: number): number => {
    const { parent, circuitNode, pipeCount } = loop.network
    let count = 0
    for (let node = circuitNode[consumer] ?? 0; node < pipeCount; node = parent[node] ?? pipeCount) count++
    return count
  }
  const waves = closed(planWaves(loop, order))
  const sizes = waves.map(({ length }) => length)
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(2)
  const distances = waves.flat().map(pipesTo)
  expect(distances).toEqual(distances.toSorted((one, other) => other - one))
  expect(distances[0]).toBeGreaterThan(distances.at(-1) ?? 0)
})

test('without closing waves all valves close at once; more waves than valves are one valve each', () => {
  const [whole = []] = closed(planWaves(loop, { ...order, closingWaves: 0 }))
  expect(whole).toHaveLength(closed(planWaves(loop, order)).flat().length)
  const each = closed(planWaves(loop, { ...order, closingWaves: 99 }))
  expect(each.every(({ length }) => length === 1)).toBe(true)
})

test('a campaign that moves nothing has no steps; one that only opens has one', () => {
  const still = { ...order, headPa, moves: [] }
  expect(planWaves(loop, still).steps).toEqual([])
  const moves = order.moves.filter(({ from, to }) => to > from)
  expect(planWaves(loop, { ...still, moves }).steps).toMatchObject([{ kind: 'open', moves }])
  const same = order.moves.map((move) => ({ ...move, to: move.from }))
  expect(planWaves(loop, { ...still, moves: same }).steps).toEqual([])
})

test('a pump that cannot be set has no step, and the loop is predicted with its head', () => {
  const fixed = { ...order, pump: { kind: 'fixed-head', headPa: order.headPa } } as const
  const plan = planWaves(loop, fixed)
  expect(plan.steps.map(({ kind }) => kind)).toEqual(['open', 'close', 'close', 'close'])
  for (const { after } of plan.steps) expect(after.headPa).toBeCloseTo(order.headPa, 3)
  const rising = planWaves(loop, { ...fixed, headPa: headPa / 2 })
  expect(rising.steps.map(({ kind }) => kind)).not.toContain('pump')
})

test('until the last step the loop is predicted with the lower of both heads, and every move done so far', () => {
  const { steps } = planWaves(loop, { ...order, headPa: headPa / 2 })
  const position = before.slice()
  for (const step of steps) {
    if (step.kind !== 'pump') for (const { consumer, to } of step.moves) position[consumer] = to
    const lower = step.kind === 'pump' ? headPa : headPa / 2
    const { flowKgS } = solveLoop(loop, position, { kind: 'head', head: pascal(lower) })
    expect(step.after.headPa).toBeCloseTo(lower, 3)
    step.after.flowKgS.forEach((flow, i) => {
      expect(flow).toBeCloseTo(flowKgS[i] ?? 0, 9)
    })
  }
})

test('a rollback moves each valve from where it is to where it was, the last ones first', () => {
  const plan = planWaves(loop, order)
  const back = planRollback(loop, order, plan.steps.slice(0, 2))
  const [pump, open] = plan.steps
  expect([pump?.kind, open?.kind]).toEqual(['pump', 'open'])
  expect(back.steps.map(({ kind }) => kind)).toEqual(['close', 'close', 'close', 'pump'])
  const moved = back.steps.flatMap((step) => (step.kind === 'pump' ? [] : step.moves))
  expect(moved).toHaveLength(open?.kind === 'open' ? open.moves.length : 0)
  for (const { consumer, from, to } of moved) {
    expect([from, to]).toEqual([openings[consumer], before[consumer]])
  }
  // Before the first step nothing has to be rolled back.
  expect(planRollback(loop, order, []).steps).toEqual([])
})
