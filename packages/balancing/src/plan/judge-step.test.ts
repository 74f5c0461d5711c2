import { expect, test } from 'vitest'
import type { StepMemory } from '../step/step-memory.ts'
import { modelOf } from '../step/step-model.ts'
import { judgeStep } from './judge-step.ts'
import { type PlannedStep, planStep } from './plan-step.ts'
import { createSampleStation, firstStep, type SampleStation } from './sample-station.testkit.ts'

const COUNT = 24

/** Openings after a plan if the valves of some consumers do not move. */
const carryOut = ({ plan }: PlannedStep, from: Float64Array, stuck: readonly number[]): Float64Array =>
  plan.openings.map((to, i) => (stuck.includes(i) ? (from[i] ?? 0) : to))

/** A first step of a station in which some valves do not move, and its judgement. */
function judgeFirst(station: SampleStation, stuck: readonly number[]) {
  const order = firstStep(station)
  const step = planStep(order)
  const openings = carryOut(step, order.openings, stuck)
  const readings = station.readAt(openings)
  const judged = judgeStep({ ...step, readings, isTrim: false })
  return { order, step, openings, readings, ...judged }
}

/** The two valves with the longest travel in a first plan. */
function farMovers(station: SampleStation): readonly number[] {
  const { moves } = planStep(firstStep(station)).plan
  const byWay = moves.toSorted((one, other) => Math.abs(other.to - other.from) - Math.abs(one.to - one.from))
  return byWay.slice(0, 2).map(({ consumer }) => consumer)
}

test('stuck valves are found by their flows, remembered, and left out of the next plan', () => {
  const station = createSampleStation(COUNT, 1)
  const stuck = farMovers(station)
  const { order, openings, readings, memory, verdicts, step } = judgeFirst(station, stuck)
  expect(verdicts.map(({ consumer }) => consumer).toSorted()).toEqual(
    step.plan.moves.map(({ consumer }) => consumer).toSorted(),
  )
  expect(memory.broken.toSorted()).toEqual(stuck.toSorted())
  expect(memory.suspected).toEqual([])
  const next = planStep({ ...order, openings, readings, memory, gateK: 0.3 })
  const commanded = next.plan.moves.map(({ consumer }) => consumer)
  expect(commanded.filter((consumer) => stuck.includes(consumer))).toEqual([])
})

test('a gated round tests the valves that the first round did not move, and proves them', () => {
  const station = createSampleStation(COUNT, 2)
  const { order, openings, readings, memory, step } = judgeFirst(station, [])
  const unproven = [...openings.keys()].filter((i) => !memory.proven.includes(i))
  const next = planStep({ ...order, openings, readings, memory, gateK: 0.4 })
  const commanded = new Set(next.plan.moves.map(({ consumer }) => consumer))
  expect(step.plan.moves.length).toBeLessThan(COUNT)
  expect(unproven.length).toBeGreaterThan(0)
  expect(unproven.filter((i) => !commanded.has(i))).toEqual([])
  const after = station.readAt(next.plan.openings)
  const judged = judgeStep({ ...next, readings: after, isTrim: true })
  expect(judged.memory.proven.toSorted((one, other) => one - other)).toEqual([...openings.keys()])
  expect(judged.memory.broken).toEqual([])
})

test('a valve that reports its old position is stuck if no flow shows that it followed', () => {
  const station = createSampleStation(COUNT, 1)
  const order = { ...firstStep(station), flows: 'temperature-only' } as const
  const step = planStep(order)
  const travel = ({ from, to }: { from: number; to: number }): number => Math.abs(to - from)
  const judgeWith = (stuck: readonly number[], reporting: readonly number[]) => {
    const { flowKgS, ...readings } = {
      ...station.readAt(carryOut(step, order.openings, stuck)),
      flowKgS: undefined,
    }
    const openings = carryOut(step, order.openings, reporting)
    const read = { ...readings, flowKgS: flowKgS ?? readings.meterKgS, openings }
    return judgeStep({ ...step, readings: read, flows: 'temperature-only', isTrim: false })
  }
  // Too small a move to be seen in flows from temperatures, but not for the motor's own feedback.
  const near = judgeWith([], [])
    .verdicts.filter(({ verdict }) => verdict === 'too-small')
    .map(({ consumer }) => consumer)
  const moved = step.plan.moves.filter((move) => near.includes(move.consumer) && travel(move) > 0.03)
  const [one] = moved.map(({ consumer }) => consumer)
  if (one === undefined) throw new Error('no small move')
  expect(judgeWith([one], []).memory.broken).toEqual([])
  expect(judgeWith([one], [one]).memory.broken).toEqual([one])
  // The flow followed: the feedback is wrong.
  const [far = 0] = farMovers(station)
  expect(judgeWith([], [far]).memory.broken).toEqual([])
})

test('without measured flows no valve is judged', () => {
  const station = createSampleStation(COUNT, 3)
  const order = firstStep(station)
  const step = planStep({ ...order, flows: 'temperature-only' })
  const readings = station.readAt(step.plan.openings)
  const meterKgS = new Float64Array(COUNT).fill(Number.NaN)
  const { verdicts, memory } = judgeStep({ ...step, readings: { ...readings, meterKgS }, isTrim: false })
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['not-measured']))
  expect(memory).toEqual(step.memory)
})

test('a memory restored from JSON gives the same next plan', () => {
  for (const seed of [4, 5, 6]) {
    const station = createSampleStation(COUNT, seed)
    const { order, openings, readings, memory, step } = judgeFirst(station, [3])
    const read: StepMemory = JSON.parse(JSON.stringify(memory))
    expect(read).toEqual(memory)
    const round = { ...order, openings, readings, gateK: 0.4 }
    expect(planStep({ ...round, memory: read })).toEqual(planStep({ ...round, memory }))
    const again = modelOf(order.records, JSON.parse(JSON.stringify(step.memory)), 'metered')
    expect(again).toEqual(step.model)
  }
})
