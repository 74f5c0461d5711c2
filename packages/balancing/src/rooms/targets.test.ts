import { sum } from '@isotherm/kernel/statistics'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeTargets, heatOfTargets, type TargetMode } from './targets.ts'
import { restAtFlow, thermalModelAt } from './thermal-model.ts'

const of = (...values: number[]): Float64Array => Float64Array.from(values)
const zero = of(0, 0, 0)
const bounds = { minKgS: of(0.1, 0.1, 0.1), maxKgS: of(4, 4, 4) }
const present = of(1.4, 1, 0.8)

/** Three consumers of 1,000 m²: too much water, about right, too little. */
const createModel = () =>
  thermalModelAt({
    outdoorC: -5,
    supplyC: of(48, 48, 47.6),
    returnC: of(41.5, 40, 38.5),
    flowKgS: present,
    roomC: of(21.5, 20.5, 19),
    exponent: of(1.3, 1.3, 1.3),
  })
const solve = (mode: TargetMode) => computeTargets(createModel(), mode, present, bounds)

test('one return temperature is found for all that uses the total flow, with each consumer’s offset', () => {
  const targets = solve({ kind: 'return', totalKgS: 3, offsetK: of(0, 0, 1) })
  expect(sum(targets.flowKgS)).toBeCloseTo(3, 4)
  expect(targets.returnC[0]).toBeCloseTo(targets.common, 4)
  expect(targets.returnC[2]).toBeCloseTo(targets.common + 1, 4)
  expect(targets.flowKgS[0]).toBeLessThan(1.4)
  expect(targets.limited.size).toBe(0)
})

test('the mean of supply and return compensates for a colder supply', () => {
  const targets = solve({ kind: 'mean', totalKgS: 3, offsetK: zero })
  expect((targets.returnC[2] ?? 0) + 47.6).toBeCloseTo(2 * targets.common, 4)
  expect((targets.returnC[0] ?? 0) + 48).toBeCloseTo(2 * targets.common, 4)
})

test('a room temperature gets the heat and the flow it needs', () => {
  const model = createModel()
  const targets = solve({ kind: 'room', roomC: 20, offsetK: of(0, 0, -0.5) })
  expect(targets.roomC[0]).toBeCloseTo(20, 5)
  expect(targets.roomC[2]).toBeCloseTo(19.5, 5)
  expect(heatOfTargets(model, targets)).toBeCloseTo(
    25 * ((model.lossWK[0] ?? 0) + (model.lossWK[1] ?? 0)) + 24.5 * (model.lossWK[2] ?? 0),
    2,
  )
  expect(
    solve({ kind: 'room-total', totalKgS: sum(targets.flowKgS), offsetK: of(0, 0, -0.5) }).common,
  ).toBeCloseTo(20, 4)
})

test('an emitter too small for its target gets the maximum flow and is reported', () => {
  const targets = solve({ kind: 'room', roomC: 30, offsetK: zero })
  expect(targets.limited.get(2)).toBe('emitter-too-small')
  expect(targets.flowKgS[2]).toBe(4)
})

test('heat by area is corrected by consumer, with the resulting return of its emitter', () => {
  const model = createModel()
  const mode = {
    kind: 'energy',
    heatWM2: 28,
    areaM2: of(1000, 1000, 1000),
    correction: of(1, 1, 1.1),
  } as const
  const targets = solve(mode)
  const heat = (i: number) =>
    (targets.flowKgS[i] ?? 0) * 4187 * ((model.supplyC[i] ?? 0) - (targets.returnC[i] ?? 0))
  expect(heat(0)).toBeCloseTo(28_000, 0)
  expect(heat(2)).toBeCloseTo(30_800, 0)
})

test('flow by class is scaled to the total if one is given', () => {
  const mode = {
    kind: 'flow',
    flowKgHM2: of(3, 3, 4),
    areaM2: of(1000, 500, 500),
    correction: of(1, 1, 1),
  } as const
  const free = solve({ ...mode, totalKgS: undefined })
  expect(free.flowKgS[0]).toBeCloseTo(3000 / 3600, 12)
  const shared = solve({ ...mode, totalKgS: 2 })
  expect(sum(shared.flowKgS)).toBeCloseTo(2, 6)
  expect((shared.flowKgS[2] ?? 0) / (shared.flowKgS[1] ?? 1)).toBeCloseTo(4 / 3, 6)
})

test('an unknown consumer keeps its flow and is reported', () => {
  const model = createModel()
  const blind = {
    ...model,
    coefficient: of(Number.NaN, model.coefficient[1] ?? 0, model.coefficient[2] ?? 0),
  }
  const targets = computeTargets(blind, { kind: 'return', totalKgS: 3, offsetK: zero }, present, bounds)
  expect(targets.flowKgS[0]).toBe(1.4)
  expect(targets.limited.get(0)).toBe('unknown')
  expect(sum(targets.flowKgS)).toBeCloseTo(3, 4)
})

test('flows add up to any reachable total and stay within their bounds', () => {
  const model = createModel()
  fc.assert(
    fc.property(
      fc.double({ min: 0.5, max: 8, noNaN: true }),
      fc.constantFrom('return', 'mean'),
      (total, kind) => {
        const targets = solve({ kind, totalKgS: total, offsetK: zero })
        expect(sum(targets.flowKgS)).toBeCloseTo(total, 3)
        targets.flowKgS.forEach((flow, i) => {
          expect(flow).toBeGreaterThanOrEqual(0.1)
          expect(flow).toBeLessThanOrEqual(4)
          expect(restAtFlow(model, i, flow)?.returnC).toBeCloseTo(targets.returnC[i] ?? 0, 6)
        })
      },
    ),
  )
})

test('the return target hardly depends on the assumed room temperature', () => {
  const at = (room: number) => {
    const assumed = thermalModelAt({
      outdoorC: -5,
      supplyC: of(48, 48, 47.6),
      returnC: of(41.5, 40, 38.5),
      flowKgS: present,
      roomC: of(room, room, room),
      exponent: of(1.3, 1.3, 1.3),
    })
    return computeTargets(assumed, { kind: 'return', totalKgS: 3, offsetK: zero }, present, bounds).flowKgS
  }
  const [colder, warmer] = [at(19), at(21)]
  for (const [i, flow] of colder.entries()) expect(Math.abs(flow / (warmer[i] ?? 1) - 1)).toBeLessThan(0.005)
})

test.each(['return', 'mean', 'room-total'] as const)(
  'a total that no bounds allow gives all the maximum or the minimum flow (%s)',
  (kind) => {
    const max = solve({ kind, totalKgS: 100, offsetK: zero })
    const min = solve({ kind, totalKgS: 0.01, offsetK: zero })
    expect([...max.flowKgS]).toEqual([4, 4, 4])
    expect([...min.flowKgS]).toEqual([0.1, 0.1, 0.1])
    expect([...min.limited.values()]).toEqual(['min-flow', 'min-flow', 'min-flow'])
    expect(max.limited.size).toBe(3)
  },
)

test.each(['return', 'mean', 'room-total'] as const)(
  'offsets far beyond the others still share the total flow (%s)',
  (kind) => {
    const targets = solve({ kind, totalKgS: 4.2, offsetK: of(-60, 60, 60) })
    expect(sum(targets.flowKgS)).toBeCloseTo(4.2, 4)
    expect(targets.flowKgS[0]).toBeCloseTo(0.1, 4)
    expect(targets.limited.get(0)).toBe('min-flow')
  },
)

test('a common return is searched up to the warmest supply, also if one is unknown', () => {
  const model = { ...createModel(), supplyC: of(Number.NaN, 48, 47.6) }
  const coefficient = model.coefficient.map((value, i) => (i === 0 ? Number.NaN : value))
  const offsetK = zero
  const total = { kind: 'return', totalKgS: 9, offsetK } as const
  const targets = computeTargets({ ...model, coefficient }, total, present, bounds)
  expect(sum(targets.flowKgS)).toBeCloseTo(9, 3)
  expect(targets.common).toBeGreaterThan(40)
})

test('a target at or below the outdoor temperature gets the minimum flow and is reported', () => {
  const targets = solve({ kind: 'room', roomC: -4, offsetK: of(-1, -3, 24) })
  expect([...targets.flowKgS.subarray(0, 2)]).toEqual([0.1, 0.1])
  expect(targets.roomC[2]).toBeCloseTo(20, 5)
  expect([...targets.limited]).toEqual([
    [0, 'min-flow'],
    [1, 'min-flow'],
  ])
})

test('a target between the bounds of a flow is not reported, and one just beyond them is', () => {
  const model = createModel()
  const room = (flow: number) => restAtFlow(model, 0, flow)?.roomC ?? Number.NaN
  const limitOf = (flow: number) =>
    solve({ kind: 'room', roomC: room(flow), offsetK: of(0, -0.5, -1) }).limited.get(0)
  expect([0.099, 0.101, 3.99, 4.01].map(limitOf)).toEqual(['min-flow', undefined, undefined, 'max-flow'])
})

test('heat or flow by area stays within the bounds, and the reason is reported', () => {
  const areaM2 = of(1_000, 1_000, 1_000)
  const heat = solve({ kind: 'energy', heatWM2: 28, areaM2, correction: of(1, 5, 0.01) })
  expect([...heat.flowKgS.subarray(1)]).toEqual([4, 0.1])
  expect([...heat.limited]).toEqual([
    [1, 'emitter-too-small'],
    [2, 'min-flow'],
  ])
  expect(heat.common).toBe(1)
  const flowKgHM2 = of(3.6, 36, 0.036)
  const flow = solve({ kind: 'flow', flowKgHM2, areaM2, correction: of(2, 1, 1), totalKgS: undefined })
  expect([...flow.flowKgS]).toEqual([2, 4, 0.1])
  expect([...flow.limited]).toEqual([
    [1, 'max-flow'],
    [2, 'min-flow'],
  ])
  expect(flow.common).toBe(1)
})

test('a total by classes counts the flows within their bounds, up to a hundred times the class flows', () => {
  const mode = { kind: 'flow', flowKgHM2: of(36, 3.6, 3.6), areaM2: of(1_000, 1_000, 1_000) } as const
  const share = (totalKgS: number) => solve({ ...mode, correction: of(1, 1, 1), totalKgS })
  // The first has 4 kg/s at most; the others share 3 kg/s.
  expect(share(7).common).toBeCloseTo(1.5, 6)
  expect(share(7).flowKgS[0]).toBe(4)
  // 0.1 kg/s at least: 0.3 − 0.2 for the first.
  expect(share(0.25).flowKgS[1]).toBe(0.1)
  expect([...share(1_000).flowKgS]).toEqual([4, 4, 4])
})

test('a consumer unknown to the model keeps its flow within its bounds in heat by area, and has no heat', () => {
  const model = createModel()
  const mode = {
    kind: 'energy',
    heatWM2: 28,
    areaM2: of(1_000, 1_000, 1_000),
    correction: of(1, 1, 1),
  } as const
  const blind = { ...model, lossWK: of(Number.NaN, model.lossWK[1] ?? 0, 0) }
  const targets = computeTargets(blind, mode, of(1.4, 1, 9), bounds)
  expect([targets.flowKgS[0], targets.flowKgS[2]]).toEqual([1.4, 4])
  expect([...targets.limited]).toEqual([
    [0, 'unknown'],
    [2, 'unknown'],
  ])
  expect([targets.returnC[0], targets.roomC[0]]).toEqual([Number.NaN, Number.NaN])
  expect(heatOfTargets(blind, targets)).toBeCloseTo(28_000, 1)
})
