import { describe, expect, test } from 'vitest'
import { planStep, type StepOrder } from './plan-step.ts'
import { createSampleStation, firstStep } from './sample-station.testkit.ts'

const COUNT = 24
const createOrder = (seed = 2): StepOrder => firstStep(createSampleStation(COUNT, seed))
const everyone = Array.from({ length: COUNT }, (_, i) => i)
const blind = (order: StepOrder): StepOrder => ({
  ...order,
  readings: { ...order.readings, roomC: order.readings.roomC.map(() => Number.NaN) },
})
/** A gated round in which all valves are known to follow. */
const createRound = (change: Partial<StepOrder> = {}): StepOrder => {
  const order = blind(createOrder())
  return { ...order, gateK: 1, memory: { ...order.memory, proven: everyone }, ...change }
}
const movedBy = (order: StepOrder): readonly number[] =>
  planStep(order).plan.moves.map(({ consumer }) => consumer)

describe('which valves a gated round moves', () => {
  test('those whose returns are farther from the target than the gate', () => {
    const order = createRound()
    const { plan, targets } = planStep(order)
    const far = everyone.filter((i) => Math.abs((order.readings.returnC[i] ?? 0) - targets.common) > 1)
    expect(far.length).toBeGreaterThan(4)
    expect(far.length).toBeLessThan(COUNT - 2)
    expect(plan.moves.length).toBeGreaterThan(2)
    expect(plan.moves.filter(({ consumer }) => !far.includes(consumer))).toEqual([])
  })

  test('by their own offset from the target', () => {
    const offsetK = Float64Array.from(everyone, (i) => (i < 12 ? 3 : 0))
    const order = createRound({ goal: { kind: 'temperature', target: 'return', offsetK } })
    const { plan, targets } = planStep(order)
    const near = everyone.filter(
      (i) => Math.abs((order.readings.returnC[i] ?? 0) - targets.common - (offsetK[i] ?? 0)) <= 1,
    )
    expect(near.length).toBeGreaterThan(2)
    expect(plan.moves.filter(({ consumer }) => near.includes(consumer))).toEqual([])
  })

  test('any, if the goal is not a return', () => {
    const goals = [{ kind: 'temperature', target: 'mean' }, { kind: 'flow' }] as const
    for (const goal of goals) {
      const [gated, free] = [1e6, 0].map((gateK) => movedBy(createRound({ goal, gateK })).length)
      expect(gated).toBeGreaterThan(4)
      expect(free).toBeGreaterThan(4)
    }
    expect(movedBy(createRound({ gateK: 1e6 }))).toEqual([])
  })

  test('no fixed and no broken ones', () => {
    const usual = movedBy(createRound())
    const [fixed = 0, broken = 0] = usual
    const order = createRound({ isFixed: Uint8Array.from(everyone, (i) => (i === fixed ? 1 : 0)) })
    const rest = movedBy({ ...order, memory: { ...order.memory, broken: [broken] } })
    expect(rest.length).toBeGreaterThan(0)
    expect(rest).not.toContain(fixed)
    expect(rest).not.toContain(broken)
  })
})

describe('test moves', () => {
  const unknown = { proven: [], broken: [1], suspected: [2], snapshots: [] }

  test('are added in a gated round for valves that are neither known, nor fixed, nor moved', () => {
    const isFixed = Uint8Array.from(everyone, (i) => (i === 3 ? 1 : 0))
    const order = createRound({ gateK: 1e6, memory: unknown, isFixed })
    const { plan } = planStep(order)
    const tested = plan.moves.map(({ consumer }) => consumer)
    expect(tested).toEqual(everyone.filter((i) => ![1, 2, 3].includes(i)))
    for (const { consumer, from, to } of plan.moves) {
      expect(from).toBe(order.openings[consumer])
      expect(plan.openings[consumer]).toBe(to)
      expect(to).not.toBe(from)
    }
    for (const i of [1, 2, 3]) expect(plan.openings[i]).toBe(order.openings[i])
  })

  test('follow the other moves, each valve once', () => {
    const moves = movedBy(createRound({ memory: { ...unknown, broken: [], suspected: [] } }))
    const steered = movedBy(createRound())
    expect(moves.slice(0, steered.length)).toEqual(steered)
    expect(new Set(moves).size).toBe(moves.length)
    expect(moves).toHaveLength(COUNT)
  })

  test('are left out in a first step, and without meters', () => {
    const first = createRound({ gateK: 0, memory: unknown })
    expect(movedBy(first)).toEqual(movedBy({ ...first, memory: { ...unknown, proven: everyone } }))
    expect(movedBy(createRound({ gateK: 1e6, memory: unknown, flows: 'temperature-only' }))).toEqual([])
  })

  test('are left out for a valve whose rooms object', () => {
    const order = createRound({ memory: unknown })
    const cold = { ...order, readings: { ...order.readings, roomC: order.readings.roomC.map(() => 17) } }
    const { objected, plan } = planStep(cold)
    expect(objected.size).toBeGreaterThan(0)
    for (const { consumer } of plan.moves) expect(objected.has(consumer)).toBe(false)
  })
})

test('with a cold room anywhere, tests only close: an opening valve would take its flow', () => {
  const order = createRound({ gateK: 1e6, memory: { proven: [], broken: [], suspected: [], snapshots: [] } })
  const isOpening = ({ from, to }: { readonly from: number; readonly to: number }) => to > from
  expect(planStep(order).plan.moves.some(isOpening)).toBe(true)
  const roomC = order.readings.roomC.map((_, i) => (i === 5 ? 17 : 21))
  const { moves } = planStep({ ...order, readings: { ...order.readings, roomC } }).plan
  expect(moves.length).toBeGreaterThan(10)
  expect(moves.filter(isOpening)).toEqual([])
  expect(moves.map(({ consumer }) => consumer)).not.toContain(5)
})

test('a consumer that can spare no flow is not tested by closing, and does not prevent the tests of other valves', () => {
  const order = createRound({ gateK: 1e6, memory: { proven: [], broken: [], suspected: [], snapshots: [] } })
  const roomC = new Float64Array(COUNT).fill(21)
  const coldestRoomC = roomC.map((room, i) => (i % 3 === 0 ? 18.2 : room))
  const { moves } = planStep({ ...order, coldestRoomC, readings: { ...order.readings, roomC } }).plan
  const closing = moves.filter(({ from, to }) => to < from)
  expect(moves.length).toBeGreaterThan(COUNT / 2)
  expect(closing.length).toBeGreaterThan(3)
  expect(closing.filter(({ consumer }) => consumer % 3 === 0)).toEqual([])
})

describe('objections of rooms', () => {
  const cold = (order: StepOrder): StepOrder => ({
    ...order,
    readings: { ...order.readings, roomC: order.readings.roomC.map(() => 17) },
  })

  test('keep the present flow of a consumer as its target, and its valve from closing', () => {
    const order = cold(createRound())
    const { objected, targets, flowKgS, plan } = planStep(order)
    expect(objected.size).toBeGreaterThan(0)
    for (const i of objected.keys()) {
      expect(targets.flowKgS[i]).toBeCloseTo(flowKgS[i] ?? 0, 9)
      expect(plan.openings[i]).toBeGreaterThanOrEqual(order.openings[i] ?? 1)
    }
  })

  test('count from the first step on, and not in a slot of a sequence', () => {
    const goal = {
      kind: 'sequence',
      frostC: 5,
      roomC: new Float64Array(COUNT).fill(Number.NaN),
      share: new Float64Array(COUNT).fill(0.5),
    } as const
    expect(planStep(cold(createRound({ gateK: 0 }))).objected.size).toBeGreaterThan(0)
    expect(planStep(cold(createRound({ goal }))).objected.size).toBe(0)
  })

  test('come from the coldest room of a consumer, and from the mean if only that is known', () => {
    const warm = {
      ...createRound(),
      readings: { ...createRound().readings, roomC: new Float64Array(COUNT).fill(21) },
    }
    expect(planStep(warm).objected.size).toBe(0)
    const coldestRoomC = new Float64Array(COUNT).fill(17.9)
    expect(planStep({ ...warm, coldestRoomC }).objected.size).toBeGreaterThan(0)
  })
})

test('a plan with less heat for all does not cool a consumer whose fixed valve cannot protect its coldest room', () => {
  const station = createSampleStation(COUNT, 2)
  const pump = { kind: 'free', maxHeadPa: 1.3 * firstStep(station).readings.headPa } as const
  for (const fixed of [3, 7, 15, 22]) {
    const order: StepOrder = {
      ...firstStep(station),
      goal: { kind: 'energy', heatWM2: 25 },
      pump,
      isFixed: Uint8Array.from(everyone, (i) => (i === fixed ? 1 : 0)),
      coldestRoomC: Float64Array.from(everyone, (i) => (i === fixed ? 18.2 : 20)),
    }
    const { before, expected, plan } = planStep(order)
    expect(plan.moves.length).toBeGreaterThan(COUNT / 2)
    const coolsK = (before.roomC[fixed] ?? 0) - (expected.roomC[fixed] ?? 0)
    expect(coolsK).toBeLessThan(0.2)
  }
})

describe('limits of openings', () => {
  test('narrow the range of each valve, and never below 10 %', () => {
    const order = createRound({ gateK: 0 })
    const min = order.openings.map((opening) => opening - 0.03)
    const max = order.openings.map((opening) => opening + 0.03)
    const { plan } = planStep({ ...order, limits: { min, max } })
    expect(plan.moves.length).toBeGreaterThan(4)
    for (const { from, to } of plan.moves) expect(Math.abs(to - from)).toBeLessThanOrEqual(0.03 + 1e-9)
    const few = { kind: 'flow', flowKgHM2: 0.1 } as const
    const low = planStep({ ...order, goal: few, limits: { min: min.map(() => 0), max } })
    expect(Math.min(...low.plan.moves.map(({ to }) => to))).toBeGreaterThanOrEqual(0.1)
  })
})

describe('valves that follow their own returns', () => {
  const goal = { kind: 'temperature', target: 'return', method: 'proportional' } as const

  test('stay if they are broken, or within the larger of half a kelvin and the gate', () => {
    const order = createRound({ goal })
    const { targets, plan } = planStep(order)
    for (const { consumer } of plan.moves)
      expect(Math.abs((order.readings.returnC[consumer] ?? 0) - targets.common)).toBeGreaterThan(1)
    const [broken = 0] = plan.moves.map(({ consumer }) => consumer)
    expect(movedBy({ ...order, memory: { ...order.memory, broken: [broken] } })).not.toContain(broken)
    expect(movedBy({ ...order, gateK: 0 }).length).toBeGreaterThan(plan.moves.length)
    expect(targets.limited.size).toBe(0)
  })

  test('are balanced to their offsets', () => {
    const { readings } = createOrder()
    const offsetK = readings.returnC.map((value) => value - 40)
    expect(movedBy(createRound({ goal: { ...goal, offsetK } }))).toEqual([])
  })

  test('have no state of a slow trim, and a slow trim without its state moves none and stores none', () => {
    expect(planStep(createRound({ goal })).trim).toBeUndefined()
    const slow = planStep(createRound({ goal: { ...goal, method: 'slow-trim' } }))
    expect(slow.plan.moves).toEqual([])
    expect(slow.trim).toBeUndefined()
    expect(slow.targets.common).toBeNaN()
  })

  test('of a slow trim store the opening of their balance and the sums of their errors', () => {
    const order = createRound()
    const trim = { base: order.openings, integralKd: new Float64Array(COUNT), days: 2 }
    const { trim: next, targets } = planStep({ ...order, goal: { ...goal, method: 'slow-trim' }, trim })
    expect(Object.keys(next ?? {}).toSorted()).toEqual(['base', 'integralKd'])
    expect(next?.base).toBe(trim.base)
    const [first] = everyone.filter((i) => Math.abs((order.readings.returnC[i] ?? 0) - targets.common) > 0.5)
    const errorK = (order.readings.returnC[first ?? 0] ?? 0) - targets.common
    expect(next?.integralKd[first ?? 0]).toBeCloseTo(2 * errorK, 9)
  })
})

describe('predictions', () => {
  test('have no rooms without a measured room, and steady returns at the present flows before the step', () => {
    const order = createRound({ gateK: 0 })
    const { before, expected } = planStep(order)
    expect([...before.roomC, ...expected.roomC].every(Number.isNaN)).toBe(true)
    for (const [i, value] of before.returnC.entries())
      expect(Math.abs(value - (order.readings.returnC[i] ?? 0))).toBeLessThan(0.05)
    const sensed = planStep({ ...createOrder(), gateK: 0 })
    expect([...sensed.before.roomC, ...sensed.expected.roomC].every(Number.isFinite)).toBe(true)
    expect(Math.abs(before.headPa / order.readings.headPa - 1)).toBeLessThan(0.01)
  })

  test('one measured room is enough to predict the rooms of all', () => {
    const order = createOrder()
    const roomC = order.readings.roomC.map((room, i) => (i === 4 ? room : Number.NaN))
    const { expected } = planStep({ ...order, readings: { ...order.readings, roomC } })
    expect([...expected.roomC].every(Number.isFinite)).toBe(true)
  })
})

describe('the advised head', () => {
  test('is 30 % above the present one at most', () => {
    const order = createRound({ gateK: 0, goal: { kind: 'flow', flowKgHM2: 30 } })
    expect(planStep(order).advisedHeadPa / order.readings.headPa).toBeCloseTo(1.3, 3)
  })

  test('does not count on a broken valve, but on every other, also if it is fixed now', () => {
    const order = createRound({ gateK: 0 })
    const usual = planStep(order).advisedHeadPa
    const isFixed = Uint8Array.from(everyone, (i) => (i < 6 ? 1 : 0))
    const openings = order.openings.map((opening, i) => (i === 23 ? 0.2 : opening))
    const shut = (broken: readonly number[]) =>
      planStep({ ...order, openings, memory: { ...order.memory, broken } }).advisedHeadPa
    expect(planStep({ ...order, isFixed }).advisedHeadPa / usual).toBeCloseTo(1, 1)
    expect(shut([23])).not.toBe(shut([]))
  })
})

describe('the flow that rooms need at least, as a share of the present one', () => {
  const withRooms = (roomC: Float64Array, change: Partial<StepOrder> = {}): StepOrder => {
    const order = createRound({ gateK: 0, ...change })
    return { ...order, readings: { ...order.readings, roomC } }
  }
  const all = (value: number) => new Float64Array(COUNT).fill(value)

  test('is nothing if no room is known, all of it in cold rooms, and more the colder a warm room is', () => {
    const { minShare } = planStep(withRooms(all(21).with(3, 17).with(4, Number.NaN).with(5, 20.2)))
    const usual = planStep(withRooms(all(21))).minShare
    expect(minShare[3]).toBe(1)
    expect(minShare[4]).toBe(0)
    expect(usual[5]).toBeGreaterThan(0.2)
    expect(minShare[5]).toBeGreaterThan((usual[5] ?? 0) + 0.05)
    expect(minShare[5]).toBeLessThan(1)
  })

  test('is nothing in a slot of a sequence, which cools rooms on purpose', () => {
    const goal = { kind: 'sequence', frostC: 5, roomC: all(Number.NaN), share: all(0.5) } as const
    expect([...planStep(withRooms(all(17), { goal })).minShare]).toEqual([...all(0)])
  })

  test('includes rooms without a sensor only if rooms are made equal, which cools warm ones', () => {
    const roomC = all(21).with(4, Number.NaN)
    const toRooms = planStep(withRooms(roomC, { goal: { kind: 'temperature', target: 'room' } }))
    const toReturns = planStep(withRooms(roomC, { goal: { kind: 'temperature', target: 'return' } }))
    expect(toRooms.minShare[4]).toBeGreaterThan(0)
    expect(toReturns.minShare[4]).toBe(0)
  })

  test('objects to a lower target only, and not for a fixed valve', () => {
    const roomC = all(21).map((room, i) => (i % 2 === 0 ? 17 : room))
    const free = planStep(withRooms(roomC))
    const [fixed = -1] = free.objected.keys()
    expect(free.objected.size).toBeGreaterThan(1)
    // Half of the rooms are cold, and some of those get more flow.
    expect(free.objected.size).toBeLessThan(COUNT / 2)
    const isFixed = new Uint8Array(COUNT).with(fixed, 1)
    const { objected } = planStep(withRooms(roomC, { isFixed }))
    expect(objected.size).toBeGreaterThan(0)
    expect(objected.has(fixed)).toBe(false)
  })
})
