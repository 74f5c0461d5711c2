import { pascal } from '@isotherm/kernel/quantities'
import { describe, expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import type { LoopRecords } from '../records/loop-records.ts'
import { NO_MEMORY, remember, type StepMemory } from '../step/step-memory.ts'
import { type JudgeOrder, judgeStep } from './judge-step.ts'

const COUNT = 8
const HEAD_PA = 60_000

/** A loop that its model describes exactly: valve 2 moves from 50 % to `to`, but its stem only by a share of that. */
function moveOne(to: number, share: number, isTrim: boolean, known: Partial<StepMemory> = {}) {
  const model = createSampleLoop(COUNT)
  const from = filled(COUNT, 0.5)
  const flowsAt = (opening: number) => {
    const openings = from.map((open, i) => (i === 2 ? opening : open))
    return solveLoop(model, openings, { kind: 'head', head: pascal(HEAD_PA) }).flowKgS
  }
  const memory = remember(
    { ...NO_MEMORY, ...known },
    { headPa: HEAD_PA, flowKgS: flowsAt(0.5), openings: from },
  )
  return judgeStep({
    model,
    memory,
    plan: {
      moves: [{ consumer: 2, from: 0.5, to }],
      openings: from.map((open, i) => (i === 2 ? to : open)),
    },
    readings: { meterKgS: flowsAt(0.5 + share * (to - 0.5)), headPa: HEAD_PA },
    isTrim,
  })
}

test('a valve that moves as commanded is proven, and only it is judged', () => {
  const { verdicts, memory } = moveOne(0.6, 1, false)
  expect(verdicts).toEqual([
    expect.objectContaining({ consumer: 2, verdict: 'accepted', followed: expect.closeTo(1, 6) }),
  ])
  expect(memory).toMatchObject({ proven: [2], suspected: [], broken: [] })
  expect(memory.snapshots).toHaveLength(1)
})

test('a valve that moves half of the way is suspected, and one that stays is broken', () => {
  expect(moveOne(0.7, 0.45, false).memory).toMatchObject({ proven: [], suspected: [2], broken: [] })
  expect(moveOne(0.7, 0, false).memory).toMatchObject({ proven: [], suspected: [], broken: [2] })
})

test('what a memory knows stays in it, each valve once', () => {
  const known = { proven: [1, 2], suspected: [3], broken: [4] }
  expect(moveOne(0.6, 1, false, known).memory).toMatchObject(known)
  expect(moveOne(0.7, 0, false, known).memory).toMatchObject({ ...known, broken: [4, 2] })
  expect(moveOne(0.7, 0.45, false, known).memory).toMatchObject({ ...known, suspected: [3, 2] })
})

test('a trim, in which the other flows hardly change, finds a slip that is lost in the noise of a first step', () => {
  const verdictOf = (isTrim: boolean) => moveOne(0.52, 0.4, isTrim).verdicts[0]?.verdict
  expect(verdictOf(false)).not.toBe('slipping')
  expect(verdictOf(true)).toBe('slipping')
})

test('a judgement without the memory of its step is refused', () => {
  const model = createSampleLoop(COUNT)
  const plan = { moves: [], openings: filled(COUNT, 0.5) }
  const readings = { meterKgS: filled(COUNT, 1), headPa: HEAD_PA }
  expect(() => judgeStep({ model, memory: NO_MEMORY, plan, readings, isTrim: false })).toThrow(
    'a judgement needs the memory of the planned step',
  )
})

/** How valve 2 moves from 50 %, and what is known of it. */
interface Move {
  readonly to: number
  /** Where its stem ends; as commanded without it. */
  readonly reached?: number
  /** The position that it reports after the move, 0..1. */
  readonly shown?: number
  readonly flows?: 'metered' | 'temperature-only'
  readonly isTrim?: boolean
  /** Its opening in an earlier step from which it followed to 50 %. */
  readonly earlier?: number
  /** The valve as it really is. */
  readonly truth?: 'linear'
}

const flowsOf = (model: LoopModel, opening: number) =>
  solveLoop(model, filled(COUNT, 0.5).with(2, opening), { kind: 'head', head: pascal(HEAD_PA) }).flowKgS

/** A move of valve 2 as an order to judge it; all others stay at 50 %. */
function orderOf({ to, reached = to, shown, flows, isTrim = false, earlier, truth }: Move): JudgeOrder {
  const model = createSampleLoop(COUNT)
  const valves = model.valves.map((valve, i) =>
    i === 2 && truth ? ({ kind: truth, kvs: valve.kvs } as const) : valve,
  )
  const real = { ...model, valves }
  const from = filled(COUNT, 0.5)
  const snapshotAt = (opening: number) => ({
    headPa: HEAD_PA,
    flowKgS: flowsOf(real, opening),
    openings: from.with(2, opening),
  })
  const first = earlier === undefined ? NO_MEMORY : remember(NO_MEMORY, snapshotAt(earlier))
  const after = flowsOf(real, reached)
  return {
    model,
    memory: remember(first, snapshotAt(0.5)),
    plan: { moves: [{ consumer: 2, from: 0.5, to }], openings: from.with(2, to) },
    flows,
    readings: {
      headPa: HEAD_PA,
      meterKgS: flows === 'temperature-only' ? filled(COUNT, Number.NaN) : after,
      flowKgS: after,
      openings: shown === undefined ? undefined : filled(COUNT, Number.NaN).with(2, shown),
    },
    isTrim,
  }
}

const verdictOn = (order: JudgeOrder) => judgeStep(order).verdicts[0]?.verdict
const judge = (move: Move) => verdictOn(orderOf(move))

describe('the position that a valve with a stated curve reports', () => {
  test('shows that it stayed, where its flow is too uncertain to show it', () => {
    const move = { to: 0.55, flows: 'temperature-only' } as const
    expect(judge(move)).toBe('too-small')
    expect(judge({ ...move, shown: 0.5 })).toBe('stuck')
    expect(judge({ ...move, shown: 0.513 })).toBe('stuck')
    // Neither here nor there, as commanded, and a move that is shorter than positions are exact.
    expect(judge({ ...move, shown: 0.519 })).toBe('too-small')
    expect(judge({ ...move, shown: 0.55 })).toBe('too-small')
    expect(judge({ ...move, to: 0.52, shown: 0.5 })).toBe('too-small')
  })

  test('shows that a valve which seems to slip has stayed', () => {
    expect(judge({ to: 0.7, reached: 0.59 })).toBe('slipping')
    expect(judge({ to: 0.7, reached: 0.59, shown: 0.5 })).toBe('stuck')
    expect(judge({ to: 0.7, reached: 0.59, shown: 0.7 })).toBe('slipping')
  })

  test('counts for a flow that changed the wrong way, and not for one that followed or changed even more', () => {
    const move = { to: 0.55, flows: 'temperature-only' } as const
    expect(judge({ ...move, reached: 0.4 })).toBe('learn')
    expect(judge({ ...move, reached: 0.4, shown: 0.5 })).toBe('stuck')
    expect(judge({ ...move, reached: 0.65, shown: 0.5 })).toBe('learn')
    expect(judge({ to: 0.6, shown: 0.5 })).toBe('accepted')
  })
})

test('a step is judged by flows from temperatures only if its flows come from them', () => {
  const order = orderOf({ to: 0.7 })
  const still = flowsOf(order.model, 0.5)
  const moved = flowsOf(order.model, 0.7)
  const withFlows = (flows: JudgeOrder['flows'], meterKgS: Float64Array, flowKgS?: Float64Array) =>
    verdictOn({ ...order, flows, readings: { headPa: HEAD_PA, meterKgS, flowKgS } })
  expect(withFlows('temperature-only', still, moved)).toBe('accepted')
  expect(withFlows('temperature-only', moved)).toBe('accepted')
  expect(withFlows('metered', still, moved)).toBe('stuck')
  expect(withFlows(undefined, still, moved)).toBe('stuck')
})

describe('a valve whose curve is only assumed', () => {
  /** The same order with records in which the curve of valve 2 is assumed. */
  function assumed(move: Move): JudgeOrder {
    const order = orderOf(move)
    const records: LoopRecords = {
      loop: order.model,
      exponent: filled(COUNT, 1.3),
      areaM2: filled(COUNT, 1_000),
      designKgS: filled(COUNT, 1),
      emitter: filled(COUNT, 1_000),
      curves: Array.from({ length: COUNT }, (_, i) => (i === 2 ? 'assumed' : 'stated')),
    }
    return { ...order, records }
  }
  const doubt = (move: Move) => judgeStep(assumed(move))

  test('is proven by a flow that follows', () => {
    const { verdicts, memory } = doubt({ to: 0.6 })
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['accepted'])
    expect(memory).toMatchObject({ proven: [2], suspected: [], broken: [] })
  })

  test('is stuck if its flow shows it by every plausible curve', () => {
    const { verdicts, memory } = doubt({ to: 0.7, reached: 0.5 })
    expect(verdicts).toEqual([
      expect.objectContaining({ consumer: 2, verdict: 'stuck', followed: expect.closeTo(0, 1) }),
    ])
    expect(memory).toMatchObject({ proven: [], suspected: [], broken: [2] })
  })

  test('is stuck if most plausible curves show it, where the recorded one shows it too', () => {
    // One in three that another curve explains it.
    expect(doubt({ to: 0.55, reached: 0.51 }).memory.broken).toEqual([2])
    // As likely as not.
    expect(doubt({ to: 0.53, reached: 0.506 }).memory).toMatchObject({ proven: [], broken: [] })
  })

  test('stops in its newest move although it followed the one before', () => {
    expect(doubt({ to: 0.7, reached: 0.5, earlier: 0.4 }).memory.broken).toEqual([2])
  })

  test('slips if no plausible curve explains its flows after two moves', () => {
    const { verdicts, memory } = doubt({ to: 0.7, reached: 0.56, earlier: 0.8 })
    expect(verdicts).toEqual([
      expect.objectContaining({ consumer: 2, verdict: 'slipping', followed: expect.closeTo(0.3, 1) }),
    ])
    expect(memory).toMatchObject({ proven: [], suspected: [2], broken: [] })
  })

  test('teaches its curve if another curve explains a flow that follows in part', () => {
    const move = { to: 0.7, reached: 0.59 }
    expect(judge(move)).toBe('slipping')
    const { verdicts, memory } = doubt(move)
    expect(verdicts).toEqual([
      expect.objectContaining({ consumer: 2, verdict: 'learn', followed: expect.closeTo(0.46, 1) }),
    ])
    expect(memory).toMatchObject({ proven: [2], suspected: [], broken: [] })
  })

  test('moved too little if its likely curve lets the flow change by no more than meters show', () => {
    const move = { to: 0.6, truth: 'linear' } as const
    expect(judge({ ...move, to: 0.55 })).toBe('stuck')
    expect(doubt({ ...move, to: 0.55 }).verdicts[0]?.verdict).toBe('too-small')
    expect(doubt(move).verdicts[0]?.verdict).toBe('learn')
  })

  test('is not judged without a flow after the move, whatever it reports', () => {
    const order = assumed({ to: 0.7, reached: 0.5, shown: 0.5 })
    const meterKgS = order.readings.meterKgS.with(2, Number.NaN)
    const { verdicts, memory } = judgeStep({ ...order, readings: { ...order.readings, meterKgS } })
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['not-measured'])
    expect(memory).toMatchObject({ proven: [], suspected: [], broken: [] })
  })
})
