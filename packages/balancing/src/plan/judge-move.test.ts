import { pascal } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { solveLoop } from '../loop/loop-flows.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { NO_MEMORY, remember, type StepMemory } from '../step/step-memory.ts'
import { judgeStep } from './judge-step.ts'

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
