import { sum } from '@isotherm/kernel/statistics'
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

test('a plan that warms as many rooms above 18 °C as it cools below is refused', () => {
  const { order, step, forecast } = createPlan()
  const change = step.expected.roomC.map((room, i) => room - (step.before.roomC[i] ?? Number.NaN))
  const [cooled, warmed] = [change.indexOf(Math.min(...change)), change.indexOf(Math.max(...change))]
  const [fallK, riseK] = [change[cooled] ?? 0, change[warmed] ?? 0]
  expect(Math.min(-fallK, riseK)).toBeGreaterThan(0.05)
  const rooms = [
    { consumer: cooled, roomC: 18 - fallK / 2 },
    { consumer: warmed, roomC: 18 - riseK / 2 },
    { consumer: warmed, roomC: 18 - riseK / 3 },
    { consumer: warmed, roomC: 22 },
  ]
  // The rooms that become warm enough do not count against the one that becomes too cold.
  expect(refusePlan(order, step, forecast, { rooms })).toMatchObject({
    reason: 'cold-rooms',
    now: 0.5,
    expected: 0.75,
  })
  expect(refusePlan(order, step, forecast, { rooms: rooms.slice(1) })).toBeUndefined()
})

test('a room at 18 °C whose flow changes by less than a meter shows is no reason to refuse', () => {
  const { order, step, forecast } = createPlan()
  const consumer = 3
  const [flow, roomC] = [step.before.flowKgS[consumer] ?? 0, step.before.roomC[consumer] ?? 0]
  const rooms = [{ consumer, roomC: 18 }]
  const withFlow = (share: number): PlannedStep => ({
    ...step,
    expected: {
      ...step.expected,
      flowKgS: step.expected.flowKgS.with(consumer, share * flow),
      roomC: step.expected.roomC.with(consumer, roomC - 0.02),
    },
  })
  expect(refusePlan(order, withFlow(0.995), forecast, { rooms })).toBeUndefined()
  expect(refusePlan(order, withFlow(0.985), forecast, { rooms })?.reason).toBe('cold-rooms')
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
  const shown = createSampleStation(COUNT, 4).readAt(openings)
  // Cold rooms would keep the head.
  const readings = { ...shown, roomC: filled(COUNT, Number.NaN) }
  const { order, step, forecast } = createPlan({
    openings,
    readings,
    pump: { kind: 'free', maxHeadPa: 400_000 },
  })
  expect(step.plan.headPa).toBeLessThan(0.9 * order.readings.headPa)
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

const modes = [
  ['returns', { kind: 'temperature', target: 'return' }],
  ['means of supply and return', { kind: 'temperature', target: 'mean' }],
  ['rooms', { kind: 'temperature', target: 'room' }],
  ['flow by area', { kind: 'flow' }],
  ['a stated flow by area', { kind: 'flow', flowKgHM2: 3 }],
  ['heat by area', { kind: 'energy', heatWM2: 30 }],
] as const satisfies readonly (readonly [string, StepOrder['goal']])[]

test.each(modes)('a balance of %s is refused if more measured rooms fall below 18 °C', (_, goal) => {
  const { order, step, forecast } = createPlan({ goal })
  const change = step.expected.roomC.map((room, i) => room - (step.before.roomC[i] ?? Number.NaN))
  const coldest = Math.min(...change)
  expect(coldest).toBeLessThan(-0.02)
  const consumer = change.indexOf(coldest)
  const refusal = refusePlan(order, step, forecast, { rooms: [{ consumer, roomC: 18 - coldest / 2 }] })
  expect(refusal).toMatchObject({ reason: 'cold-rooms', now: 0, expected: 1 })
})

test.each(modes)(
  'a balance of %s is refused if it loses more than 25 %% of the flow it asks for',
  (_, goal) => {
    const { order, step, forecast } = createPlan({ goal })
    const ask = Math.min(1, sum(step.targets.flowKgS) / sum(step.before.flowKgS))
    expect(refusePlan(order, withFlows(step, 0.74 * ask), forecast)?.reason).toBe('flow')
    expect(refusePlan(order, withFlows(step, 0.76 * ask), forecast)?.reason).not.toBe('flow')
  },
)

test.each([
  ['heat', { kind: 'energy', heatWM2: 18 }],
  ['flow', { kind: 'flow', flowKgHM2: 1.2 }],
] as const)('a stated %s may lower the total flow only where the areas are recorded', (_, goal) => {
  const { order, step, forecast } = createPlan({ goal })
  const less = withFlows(step, 0.6)
  expect(sum(step.targets.flowKgS)).toBeLessThan(0.75 * sum(step.before.flowKgS))
  expect(refusePlan(order, less, forecast)?.reason).not.toBe('flow')
  const none = new Uint8Array(COUNT)
  const records = { ...order.records, assumed: { areas: none.with(3, 1), plates: none, pipes: none } }
  const refusal = refusePlan({ ...order, records }, less, forecast)
  expect(refusal?.reason).toBe('flow')
  expect(refusal?.missing).toContainEqual({ kind: 'areas', missing: 1, consumers: COUNT })
})

test('a refusal does not ask for pressures that consumers measure', () => {
  const { order, step, forecast } = createPlan()
  const none = new Uint8Array(COUNT)
  const helpWith = (pressures: boolean) => {
    const records = {
      ...order.records,
      assumed: { areas: none, plates: none.with(0, 1), pipes: none, pressures },
    }
    return refusePlan({ ...order, records }, step, { ...forecast, medianGoalSpread: 9 })?.missing
  }
  const plates = { kind: 'plates', missing: 1, consumers: COUNT }
  expect(helpWith(false)).toEqual([plates])
  expect(helpWith(true)).toEqual([plates, { kind: 'pressures' }])
})

test('a refusal names limits that stop valves, and other operating points where nothing else is missing', () => {
  const { order, step } = createPlan()
  const none = new Uint8Array(COUNT)
  const records = { ...order.records, assumed: { areas: none, plates: none, pipes: none, pressures: false } }
  const narrow = { min: filled(COUNT, 0), max: filled(COUNT, 1).with(2, 0.3).with(5, 0.2) }
  const limited = { ...order, records, limits: narrow }
  const stopped = planStep(limited)
  const worse = { ...forecastStep(limited, stopped), medianGoalSpread: 9 }
  expect(refusePlan(limited, stopped, worse)?.missing).toEqual([
    { kind: 'limits', missing: 2, consumers: COUNT },
  ])
  const free = { ...order, records }
  expect(refusePlan(free, step, worse)?.missing).toEqual([{ kind: 'snapshots' }])
})

test('a refusal counts the valves that stop at a limit of their own, within a step of their motor', () => {
  const { order, step, forecast } = createPlan()
  const none = new Uint8Array(COUNT)
  const records = { ...order.records, assumed: { areas: none, plates: none, pipes: none, pressures: false } }
  const worse = { ...forecast, medianGoalSpread: 9 }
  /** Valves at a limit if the plan leaves all of them half open. */
  const countStopped = (min: Float64Array, max: Float64Array, isFixed = none) => {
    const plan = { ...step.plan, openings: filled(COUNT, 0.5) }
    const limited = { ...order, records, isFixed, limits: { min, max } }
    return refusePlan(limited, { ...step, plan }, worse)?.missing
  }
  const stopped = (missing: number) => [{ kind: 'limits', missing, consumers: COUNT }]
  const [closed, open] = [filled(COUNT, 0), filled(COUNT, 1)]
  expect(countStopped(closed, open)).toEqual([{ kind: 'snapshots' }])
  expect(countStopped(closed, open.with(2, 0.5).with(5, 0.505).with(6, 0.52))).toEqual(stopped(2))
  expect(countStopped(closed.with(2, 0.5).with(5, 0.495).with(6, 0.48), open)).toEqual(stopped(2))
  expect(countStopped(closed.with(2, 0.5), open.with(3, 0.5), none.with(3, 1))).toEqual(stopped(1))
})

test('the usual range of openings is no limit that stops a valve', () => {
  const { order, step, forecast } = createPlan()
  const openings = filled(COUNT, 0.1).fill(1, 12)
  const limits = { min: filled(COUNT, 0.1), max: filled(COUNT, 1) }
  const stopped = { ...step, plan: { ...step.plan, openings } }
  const refusal = refusePlan({ ...order, limits }, stopped, { ...forecast, medianGoalSpread: 9 })
  expect(refusal?.missing.map(({ kind }) => kind)).toEqual(['pressures'])
})

test.each([
  ['returns', { kind: 'temperature', target: 'return' }, 'flow'],
  ['flow by area', { kind: 'flow' }, 'flow'],
  ['a stated flow by area', { kind: 'flow', flowKgHM2: 3 }, undefined],
  ['heat by area', { kind: 'energy', heatWM2: 30 }, undefined],
] as const)('targets that add up to half of the flow: a balance of %s', (_, goal, reason) => {
  const { order, step, forecast } = createPlan()
  const half = step.before.flowKgS.map((flow) => flow / 2)
  const less = { ...withFlows(step, 0.6), targets: { ...step.targets, flowKgS: half } }
  expect(refusePlan({ ...order, goal }, less, forecast)?.reason).toBe(reason)
})

test.each([
  ['return', { kind: 'temperature', target: 'return' }, false],
  ['mean', { kind: 'temperature', target: 'mean' }, false],
  ['room', { kind: 'temperature', target: 'room' }, true],
  ['flow', { kind: 'flow' }, true],
] as const)(
  'a forecast of %s that is hardly worse than now: the drift of returns excuses it',
  (_, goal, isRefused) => {
    const { order, step, forecast } = createPlan({ goal })
    const now = refusePlan(order, step, { ...forecast, medianGoalSpread: 9 })?.now ?? Number.NaN
    const hardly = refusePlan(order, step, { ...forecast, medianGoalSpread: now + 1e-4 })
    expect(hardly !== undefined).toBe(isRefused)
  },
)

test('a plan without a forecast of its goal is not refused for its spread', () => {
  const { order, step, forecast } = createPlan()
  expect(refusePlan(order, step, { ...forecast, medianGoalSpread: undefined })).toBeUndefined()
})

test('a room of a consumer without a forecast does not count in the shares of cold rooms', () => {
  const { order, step, forecast } = createPlan()
  const cooled = step.expected.roomC.findIndex((room, i) => room < (step.before.roomC[i] ?? 0) - 0.1)
  const unknown = (cooled + 1) % COUNT
  const blind = {
    ...step,
    expected: { ...step.expected, roomC: step.expected.roomC.with(unknown, Number.NaN) },
  }
  const rooms = [
    { consumer: cooled, roomC: 18.05 },
    { consumer: cooled, roomC: 25 },
    { consumer: unknown, roomC: 17 },
  ]
  expect(refusePlan(order, blind, forecast, { rooms })).toMatchObject({ now: 0, expected: 0.5 })
})

test('a free pump that lowers its head without a move is refused if it loses flow', () => {
  const { order, step, forecast } = createPlan()
  const still = { ...withFlows(step, 0.5), plan: { ...step.plan, moves: [] } }
  expect(refusePlan(order, still, forecast)).toBeUndefined()
  const free = { ...order, pump: { kind: 'free', maxHeadPa: 400_000 } } as const
  expect(refusePlan(free, still, forecast)?.reason).toBe('flow')
})
