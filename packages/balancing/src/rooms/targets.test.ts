import { sum } from '@isotherm/kernel/statistics'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeTargets, heatOfTargets, type TargetMode } from './targets.ts'
import { restAtFlow, thermalModelAt } from './thermal-model.ts'

const of = (...values: number[]): Float64Array => Float64Array.from(values)
const zero = of(0, 0, 0)
const bounds = { leastKgS: of(0.1, 0.1, 0.1), mostKgS: of(4, 4, 4) }
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
