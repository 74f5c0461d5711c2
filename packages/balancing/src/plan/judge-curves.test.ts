import type { ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { flowCoefficient } from '@isotherm/kernel/quantities'
import { runToEnd } from '@isotherm/kernel/run-to-end'
import { expect, test } from 'vitest'
import { NO_MEMORY, remember } from '../step/step-memory.ts'
import { curvesOf } from '../step/step-model.ts'
import { judgeInSteps, judgeStep } from './judge-step.ts'
import { planStep } from './plan-step.ts'
import { createSampleStation, firstStep, type SampleStation, withoutRooms } from './sample-station.testkit.ts'

const COUNT = 32

const findCurves = (...order: Parameters<typeof curvesOf>) => runToEnd(curvesOf(...order))

/** Seat without a shape: three quarters of its capacity at half of its stroke. */
const ball = ({ kvs }: ValveCharacteristic): ValveCharacteristic => ({
  kind: 'learned',
  kvs,
  points: Array.from({ length: 21 }, (_, at) => flowCoefficient(kvs * (1 - (1 - at / 20) ** 2))),
})
const linear = ({ kvs }: ValveCharacteristic): ValveCharacteristic => ({ kind: 'linear', kvs })
const equal = (valve: ValveCharacteristic): ValveCharacteristic => valve
const mixed = (valve: ValveCharacteristic, i: number): ValveCharacteristic =>
  i % 5 < 2 ? linear(valve) : valve

/** A station whose curves nobody stated. */
function unstated(seed: number, trueValve: typeof mixed): SampleStation {
  const station = createSampleStation(COUNT, seed, trueValve)
  const curves = Array.from({ length: COUNT }, () => 'assumed' as const)
  return { ...station, records: { ...station.records, curves } }
}

/** The judgement of a first step in which some valves do not move. */
function judgeFirst(
  station: SampleStation,
  stuck: readonly number[] = [],
  { flows = 'metered', shown }: { flows?: 'metered' | 'temperature-only'; shown?: readonly number[] } = {},
) {
  const order = withoutRooms({ ...firstStep(station), flows })
  const step = planStep(order)
  const openings = step.plan.openings.map((to, i) => (stuck.includes(i) ? (order.openings[i] ?? 0) : to))
  const readings = station.readAt(openings)
  const reported = step.plan.openings.map((to, i) => (shown?.includes(i) ? (order.openings[i] ?? 0) : to))
  const flowKgS = readings.meterKgS
  const judged = judgeStep({
    ...step,
    records: station.records,
    flows,
    readings: {
      headPa: readings.headPa,
      meterKgS: flows === 'metered' ? flowKgS : readings.meterKgS.map(() => Number.NaN),
      flowKgS,
      openings: reported,
    },
    isTrim: false,
  })
  return { order, step, openings, readings, ...judged }
}

/** Valves with the longest travel in a first plan. */
const farMovers = (station: SampleStation, count: number): readonly number[] =>
  planStep(withoutRooms(firstStep(station)))
    .plan.moves.toSorted((one, other) => Math.abs(other.to - other.from) - Math.abs(one.to - one.from))
    .slice(0, count)
    .map(({ consumer }) => consumer)

test.each([
  ['equal-percentage', equal],
  ['linear', linear],
  ['ball', ball],
  ['mixed', mixed],
] as const)('healthy %s valves with unstated curves are never called stuck or slipping', (_, trueValve) => {
  for (const seed of [1, 2, 3]) {
    const { verdicts, memory } = judgeFirst(unstated(seed, trueValve))
    expect(verdicts.length).toBeGreaterThan(COUNT / 2)
    expect(verdicts.filter(({ verdict }) => verdict === 'stuck' || verdict === 'slipping')).toEqual([])
    expect([memory.broken, memory.suspected]).toEqual([[], []])
  }
})

test.each([
  ['equal-percentage', equal],
  ['linear', linear],
] as const)('stuck valves among %s ones are found, and only they', (_, trueValve) => {
  const station = unstated(4, trueValve)
  const stuck = farMovers(station, 3)
  const { memory } = judgeFirst(station, stuck)
  // One move cannot tell every stuck valve from a flat curve.
  expect(memory.broken.length).toBeGreaterThanOrEqual(2)
  expect(memory.broken.filter((consumer) => !stuck.includes(consumer))).toEqual([])
  expect(memory.proven.filter((consumer) => stuck.includes(consumer))).toEqual([])
})

test('without meters a stuck valve is found by its temperatures, or by the position that it reports', () => {
  const station = unstated(5, equal)
  const stuck = farMovers(station, 2)
  const { memory } = judgeFirst(station, stuck, { flows: 'temperature-only', shown: stuck })
  expect(memory.broken.length).toBeGreaterThanOrEqual(1)
  expect(memory.broken.filter((consumer) => !stuck.includes(consumer))).toEqual([])
  expect(judgeFirst(station, [], { flows: 'temperature-only' }).memory.broken).toEqual([])
})

test('a valve is stuck if its flow shows it by the recorded curve and most plausible curves', () => {
  const seeds = [4, 5, 6, 7, 8, 9, 10, 11]
  const found = seeds.flatMap((seed) => {
    const station = unstated(seed, equal)
    const stuck = farMovers(station, 3)
    const { memory } = judgeFirst(station, stuck)
    expect(memory.broken.filter((consumer) => !stuck.includes(consumer))).toEqual([])
    return memory.broken
  })
  expect(found.length).toBeGreaterThanOrEqual(21)
})

test('a stated curve is not doubted: without unknown ones nothing is identified', () => {
  const { records, openings, readAt } = createSampleStation(COUNT, 1)
  const { headPa, meterKgS: flowKgS } = readAt(openings)
  expect(findCurves(records, remember(NO_MEMORY, { headPa, flowKgS, openings }), 'metered')).toBeUndefined()
  expect(findCurves(unstated(1, equal).records, NO_MEMORY, 'metered')).toBeUndefined()
})

test('a valve that reports to be shut and has a flow makes the verdicts of the others no less certain', () => {
  const station = unstated(3, equal)
  const order = withoutRooms({ ...firstStep(station), openings: firstStep(station).openings.with(4, 0) })
  const step = planStep(order)
  const readings = station.readAt(step.plan.openings.with(4, firstStep(station).openings[4] ?? 0))
  const memory = remember(step.memory, {
    headPa: readings.headPa,
    flowKgS: readings.meterKgS,
    openings: step.plan.openings.with(4, 0),
  })
  const found = findCurves(station.records, memory, 'metered') ?? []
  expect(found).toHaveLength(COUNT)
  for (const [i, { states, weights }] of found.entries()) {
    for (const value of [...Object.values(states), ...weights])
      expect(value, `valve ${i}`).toBeGreaterThanOrEqual(0)
    expect(Object.values(states).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9)
  }
})

test('a judgement yields after every 64 valves of each pass over the curves', () => {
  const consumers = 200
  const station = createSampleStation(consumers, 3)
  const records = { ...station.records, curves: Array.from({ length: consumers }, () => 'assumed' as const) }
  const step = planStep(withoutRooms(firstStep(station)))
  const judgement = judgeInSteps({
    ...step,
    records,
    readings: station.readAt(step.plan.openings),
    isTrim: false,
  })
  let slices = 0
  while (!judgement.next().done) slices += 1
  // Curves and mains alternate twice, with four passes over 200 valves each time.
  expect(slices).toBe(2 * 4 * 3)
})

test('a valve that reports its old position after a move of two per cent is stuck', () => {
  const station = unstated(1, equal)
  const order = withoutRooms(firstStep(station))
  const step = planStep(order)
  const consumer = 7
  const from = order.openings[consumer] ?? 0
  const plan = {
    moves: [{ consumer, from, to: from + 0.02 }],
    openings: order.openings.with(consumer, from + 0.02),
  }
  const still = station.readAt(order.openings)
  const judge = (shown: number) =>
    judgeStep({
      ...step,
      plan,
      records: station.records,
      readings: {
        headPa: still.headPa,
        meterKgS: still.meterKgS,
        openings: plan.openings.with(consumer, shown),
      },
      isTrim: true,
    }).verdicts[0]?.verdict
  expect(judge(from)).toBe('stuck')
  expect(judge(from + 0.02)).not.toBe('stuck')
})
