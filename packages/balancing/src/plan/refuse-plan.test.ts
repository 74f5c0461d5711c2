import { expect, test } from 'vitest'
import { filled } from '../loop/sample-loop.testkit.ts'
import { forecastStep, type MeasuredRoom } from './plan-confidence.ts'
import { type PlannedStep, planStep, type StepOrder } from './plan-step.ts'
import { refusePlan } from './refuse-plan.ts'
import { createSampleStation, firstStep } from './sample-station.testkit.ts'

const COUNT = 24
const createPlan = (change: Partial<StepOrder> = {}) => {
  const order = { ...firstStep(createSampleStation(COUNT, 4)), ...change }
  const step = planStep(order)
  return { order, step, forecast: forecastStep(order, step) }
}

/** One room of each consumer, shifted so that the coldest has this temperature now, °C. */
function roomsFrom({ before }: PlannedStep, coldestC: number): readonly MeasuredRoom[] {
  const coldest = Math.min(...before.roomC)
  return Array.from(before.roomC, (room, consumer) => ({ consumer, roomC: room - coldest + coldestC }))
}

/** A step that expects its flows to be this share of the predicted ones. */
const withFlows = (step: PlannedStep, share: number): PlannedStep => ({
  ...step,
  expected: { ...step.expected, flowKgS: step.before.flowKgS.map((flow) => share * flow) },
})

test.each([
  ['returns', { kind: 'temperature', target: 'return' }],
  ['means of supply and return', { kind: 'temperature', target: 'mean' }],
  ['rooms', { kind: 'temperature', target: 'room' }],
  ['flow by area', { kind: 'flow' }],
] as const)('a plan that expects %s nearer to its goal is not refused', (_, goal) => {
  const { order, step, forecast } = createPlan({ goal })
  expect(step.plan.moves.length).toBeGreaterThan(0)
  expect(refusePlan(order, step, forecast)).toBeUndefined()
})

test('a plan whose expected median spread is not smaller than now is refused with both figures', () => {
  const { order, step, forecast } = createPlan()
  const worse = { ...forecast, medianGoalSpread: 4 }
  const refusal = refusePlan(order, step, worse)
  expect(refusal).toMatchObject({ reason: 'return', expected: 4 })
  const now = refusal?.now ?? Number.NaN
  expect(now).toBeGreaterThan(1)
  // The forecast has 0.1 K of habits and weather, which do not count as worse.
  expect(refusePlan(order, step, { ...forecast, medianGoalSpread: now + 0.001 })).toBeUndefined()
  expect(refusePlan(order, step, { ...forecast, medianGoalSpread: Math.hypot(now, 0.1) })).toBeDefined()
})

test('a plan with more measured rooms below 18 °C than now is refused with both shares', () => {
  const { order, step, forecast } = createPlan()
  const cooled = step.expected.roomC.findIndex((room, i) => room < (step.before.roomC[i] ?? 0) - 0.1)
  expect(cooled).toBeGreaterThanOrEqual(0)
  const rooms = [
    { consumer: cooled, roomC: 18.05 },
    { consumer: cooled, roomC: 25 },
  ]
  const refusal = refusePlan(order, step, forecast, { rooms })
  expect(refusal).toMatchObject({ reason: 'cold-rooms', now: 0, expected: 0.5 })
  expect(refusePlan(order, step, forecast, { rooms: roomsFrom(step, 22) })).toBeUndefined()
})

test('a plan that loses more than 25 % of the total flow is refused, whatever its head', () => {
  const { order, step, forecast } = createPlan()
  expect(refusePlan(order, withFlows(step, 0.76), forecast)).toBeUndefined()
  const refusal = refusePlan(order, withFlows(step, 0.74), forecast)
  expect(refusal?.reason).toBe('flow')
  expect((refusal?.expected ?? 0) / (refusal?.now ?? 1)).toBeCloseTo(0.74, 9)
})

test('a free pump that saves head and keeps the flow is not refused', () => {
  const openings = filled(COUNT, 0.35)
  const shown = createSampleStation(COUNT, 4).see(openings)
  // Cold rooms would keep the head.
  const seen = { ...shown, roomC: filled(COUNT, Number.NaN) }
  const { order, step, forecast } = createPlan({ openings, seen, pump: { kind: 'free', maxHeadPa: 400_000 } })
  expect(step.plan.headPa).toBeLessThan(0.9 * order.seen.headPa)
  expect(refusePlan(order, step, forecast)).toBeUndefined()
})

test('a goal that states its heat may lower the total flow', () => {
  const { order, step, forecast } = createPlan({ goal: { kind: 'energy', heatWM2: 25 } })
  expect(refusePlan(order, withFlows(step, 0.5), forecast)).toBeUndefined()
})

test('a plan without moves is not refused', () => {
  const { order, step, forecast } = createPlan({ isFixed: new Uint8Array(COUNT).fill(1) })
  expect(step.plan.moves).toEqual([])
  expect(refusePlan(order, withFlows(step, 0.5), { ...forecast, medianGoalSpread: 9 })).toBeUndefined()
})

test('a slot of a sequence cools rooms on purpose and is not refused', () => {
  const goal = {
    kind: 'sequence',
    share: filled(COUNT, 0.5),
    roomC: filled(COUNT, Number.NaN),
    frostC: 5,
  } as const
  const { order, step, forecast } = createPlan({ goal })
  expect(refusePlan(order, withFlows(step, 0.5), { ...forecast, medianGoalSpread: 9 })).toBeUndefined()
})

test('a refusal lists what would help: what is assumed, what has no meter, and pressures', () => {
  const { order, step, forecast } = createPlan()
  const mark = (count: number) => Uint8Array.from({ length: COUNT }, (_, i) => (i < count ? 1 : 0))
  const worse = { ...forecast, medianGoalSpread: 9 }
  const helpFor = (change: Partial<StepOrder>) => refusePlan({ ...order, ...change }, step, worse)?.missing
  expect(helpFor({})).toEqual([{ kind: 'pressures' }])
  const records = { ...order.records, assumed: { areas: mark(24), plates: mark(3), pipes: mark(0) } }
  expect(helpFor({ records })).toEqual([
    { kind: 'areas', missing: 24, consumers: 24 },
    { kind: 'plates', missing: 3, consumers: 24 },
    { kind: 'pressures' },
  ])
  expect(helpFor({ flows: 'temperature-only' })).toEqual([
    { kind: 'meters', missing: 24, consumers: 24 },
    { kind: 'pressures' },
  ])
})
