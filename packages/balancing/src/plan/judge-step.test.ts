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
  const seen = station.see(openings)
  const judged = judgeStep({ ...step, seen, isTrim: false })
  return { order, step, openings, seen, ...judged }
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
  const { order, openings, seen, memory, verdicts, step } = judgeFirst(station, stuck)
  expect(verdicts.map(({ consumer }) => consumer).toSorted()).toEqual(
    step.plan.moves.map(({ consumer }) => consumer).toSorted(),
  )
  expect(memory.broken.toSorted()).toEqual(stuck.toSorted())
  expect(memory.suspected).toEqual([])
  const next = planStep({ ...order, openings, seen, memory, gateK: 0.3 })
  const commanded = next.plan.moves.map(({ consumer }) => consumer)
  expect(commanded.filter((consumer) => stuck.includes(consumer))).toEqual([])
})

test('a gated round tests the valves that the first round did not move, and proves them', () => {
  const station = createSampleStation(COUNT, 2)
  const { order, openings, seen, memory, step } = judgeFirst(station, [])
  const unproven = [...openings.keys()].filter((i) => !memory.proven.includes(i))
  const next = planStep({ ...order, openings, seen, memory, gateK: 0.4 })
  const commanded = new Set(next.plan.moves.map(({ consumer }) => consumer))
  expect(step.plan.moves.length).toBeLessThan(COUNT)
  expect(unproven.length).toBeGreaterThan(0)
  expect(unproven.filter((i) => !commanded.has(i))).toEqual([])
  const after = station.see(next.plan.openings)
  const judged = judgeStep({ ...next, seen: after, isTrim: true })
  expect(judged.memory.proven.toSorted((one, other) => one - other)).toEqual([...openings.keys()])
  expect(judged.memory.broken).toEqual([])
})

test('without measured flows no valve is judged', () => {
  const station = createSampleStation(COUNT, 3)
  const order = firstStep(station)
  const step = planStep({ ...order, flows: 'temperature-only' })
  const seen = station.see(step.plan.openings)
  const meterKgS = new Float64Array(COUNT).fill(Number.NaN)
  const { verdicts, memory } = judgeStep({ ...step, seen: { ...seen, meterKgS }, isTrim: false })
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['not-measured']))
  expect(memory).toEqual(step.memory)
})

test('a memory restored from JSON gives the same next plan', () => {
  for (const seed of [4, 5, 6]) {
    const station = createSampleStation(COUNT, seed)
    const { order, openings, seen, memory, step } = judgeFirst(station, [3])
    const read: StepMemory = JSON.parse(JSON.stringify(memory))
    expect(read).toEqual(memory)
    const round = { ...order, openings, seen, gateK: 0.4 }
    expect(planStep({ ...round, memory: read })).toEqual(planStep({ ...round, memory }))
    const again = modelOf(order.records, JSON.parse(JSON.stringify(step.memory)), 'metered')
    expect(again).toEqual(step.model)
  }
})
