import { kilogramPerSecond, metre } from '@isotherm/kernel/quantities'
import { expectReported } from '@isotherm/kernel/verification.testkit'
import { expect, it } from 'vitest'
import { createPipeCells, stepPipe } from '../pipes/pipe-cells.testkit.ts'
import { capacityPerMetre } from '../pipes/pipe-heat.ts'
import { createPlugPipes, stepPlugPipe } from '../pipes/plug-pipes.ts'
import { type Building, computeDecay, stepBuilding, timeConstants } from './building.ts'
import { meanExcess } from './emitter.ts'
import {
  at,
  DESIGN_FLOW_KG_S,
  floor,
  integrate,
  makeHouseholds,
  radiator,
  stillRoom,
} from './step-households.testkit.ts'
import { stepHouseholds } from './step-households.ts'

const HOUR_S = 3600

/** Largest difference of a radiator's return from Runge–Kutta over three hours after its supply rose from 50 to 60 °C. */
function radiatorStep(stepS: number): number {
  const h = makeHouseholds([{ building: stillRoom, emitter: radiator }], [], {
    airC: 20,
    emitterC: 40,
    outsideC: 20,
  })
  h.flowKgS.fill(DESIGN_FLOW_KG_S.radiator)
  h.supplyC.fill(60)
  let worst = 0
  for (let t = 0; t < 3 * HOUR_S; t += 300) {
    const exact = at(integrate(h, 20, 300, 2), 2)
    const before = h.emitterC.slice()
    for (let part = 0; part < 300; part += stepS) stepHouseholds(h, 20, stepS)
    worst = Math.max(worst, Math.abs(at(h.emitterC) - exact))
    expect(at(h.emitterC)).toBeGreaterThanOrEqual(at(before) - 1e-9)
  }
  return worst
}

/** Difference of a radiator of standing water, 60 to 20 °C, from the closed form after an hour. */
function radiatorStanding(stepS: number): number {
  const h = makeHouseholds([{ building: stillRoom, emitter: radiator }], [], {
    airC: 20,
    emitterC: 60,
    outsideC: 20,
  })
  for (let t = 0; t < HOUR_S; t += stepS) stepHouseholds(h, 20, stepS)
  const exact = (40 ** -0.3 + (0.3 * radiator.coefficient * HOUR_S) / radiator.capacity) ** (-1 / 0.3)
  return Math.abs(at(h.emitterC) - 20 - exact)
}

/** Difference of a screed with a linear law from its exponential, ten hours after the water came. */
function linearFloor(stepS: number): number {
  if (floor.kind !== 'floor') throw new Error('a floor expected')
  const emitter = { ...floor, exponent: 1 }
  const h = makeHouseholds([{ building: stillRoom, emitter }], [], { airC: 20, emitterC: 20, outsideC: 20 })
  h.flowKgS.fill(DESIGN_FLOW_KG_S.floor)
  h.supplyC.fill(40)
  for (let t = 0; t < 10 * HOUR_S; t += stepS) stepHouseholds(h, 20, stepS)
  const flow = DESIGN_FLOW_KG_S.floor * 4187
  const gain = flow * (1 - Math.exp(-emitter.waterConductance / flow))
  const total = gain + emitter.coefficient
  const exact = ((20 * gain) / total) * (1 - Math.exp((-total * 10 * HOUR_S) / emitter.capacity))
  return Math.abs(at(h.emitterC) - 20 - exact)
}

it('simulates emitters according to their laws, in steps of one and of five minutes', () => {
  const watts = radiator.coefficient * meanExcess(30, 20) ** 1.3
  expect(watts).toBeCloseTo(3150, 6)
  const cases = [
    ['radiator, supply 50 → 60 °C, 3 h; Runge–Kutta', radiatorStep, 0.02],
    ['radiator, standing water from 60 °C, 1 h; closed form', radiatorStanding, 0.05],
    ['screed, linear law, water from cold, 10 h; exponential', linearFloor, 1e-6],
  ] as const
  const rows = cases.map(([name, measure, boundK]) => {
    const [fine, coarse] = [measure(60), measure(300)]
    expect(fine, name).toBeLessThan(boundK)
    expect(coarse, name).toBeLessThan(boundK)
    const show = (value: number) => (value < 1e-6 ? '< 1e-6' : value.toFixed(4))
    return [name, show(fine), show(coarse), boundK < 1e-3 ? boundK.toExponential() : String(boundK)]
  })
  expectReported({
    id: 'thermal-emitters',
    title: 'Emitters in time',
    about:
      'A radiator of 3,150 W at 50/40/20 °C with n = 1.3 (EN 442) and a floor for the same (EN 1264), in a room that stays at 20 °C: difference of the return, or of the screed, from the exact course.',
    head: ['case', 'steps of 60 s, K', 'steps of 300 s, K', 'bound, K'],
    rows,
  })
})

const LENGTH_M = 300
const PIPE_FLOW_KG_S = 4
const LOSS_W_M_K = 0.3
const PER_METRE = capacityPerMetre(metre(0.1071), metre(0.004), 988)
const CROSSING_S = (PER_METRE * LENGTH_M) / (PIPE_FLOW_KG_S * 4187)
/** A supply that oscillates by ±8 K, as with a hunting controller, and jumps by 10 K after two hours. */
const inletC = (t: number): number => 55 + 8 * Math.sin((2 * Math.PI * t) / 3600) + (t > 2 * HOUR_S ? 10 : 0)
const analyticC = (t: number): number =>
  10 + (inletC(t - CROSSING_S) - 10) * Math.exp((-LOSS_W_M_K * LENGTH_M) / (PIPE_FLOW_KG_S * 4187))

/** Root of the mean squared difference from the analytic outlet, means over each step, in the third and fourth hour. */
function pipeDifference(stepS: number, step: (inletC: number) => number): number {
  let sum = 0
  let count = 0
  for (let t = 0; t < 4 * HOUR_S; t += stepS) {
    const mean = (curve: (t: number) => number): number => {
      let total = 0
      for (let k = 0; k < 60; k++) total += curve(t + ((k + 0.5) / 60) * stepS)
      return total / 60
    }
    const out = step(mean(inletC))
    if (t < HOUR_S) continue
    sum += (out - mean(analyticC)) ** 2
    count++
  }
  return Math.sqrt(sum / count)
}

it('carries heat through a pipe like the analytic response, while cells smear it', () => {
  const plug = (stepS: number): number => {
    const spec = { capacityJK: PER_METRE * LENGTH_M, lossWK: LOSS_W_M_K * LENGTH_M, startC: 55 }
    const pipes = createPlugPipes([spec])
    return pipeDifference(stepS, (inlet) => stepPlugPipe(pipes, 0, PIPE_FLOW_KG_S, inlet, 10, stepS))
  }
  const cells = (count: number) => (stepS: number) => {
    const pipe = createPipeCells(metre(LENGTH_M), PER_METRE, LOSS_W_M_K, count, 55)
    return pipeDifference(stepS, (inlet) =>
      stepPipe(pipe, kilogramPerSecond(PIPE_FLOW_KG_S), inlet, 10, stepS),
    )
  }
  const methods = [
    ['parcels (`stepPlugPipe`)', plug],
    ['4 cells, upwind and implicit', cells(4)],
    ['20 cells', cells(20)],
    ['60 cells', cells(60)],
  ] as const
  const rows = methods.map(([name, measure]) => [
    name,
    ...[10, 60, 300].map((stepS) => measure(stepS).toFixed(2)),
  ])
  expect(plug(10)).toBeLessThan(0.2)
  expect(plug(60)).toBeLessThan(0.1)
  expect(plug(300)).toBeLessThan(0.4)
  for (const stepS of [10, 60, 300]) expect(plug(stepS)).toBeLessThan(cells(60)(stepS))
  expectReported({
    id: 'thermal-pipe',
    title: 'A pipe in time: parcels and cells against the analytic response',
    about: `300 m of DN100 steel with its wall, 4 kg/s, crossed in ${Math.round(CROSSING_S)} s; the inlet swings by ±8 K in an hour and jumps by 10 K. Root mean square of the outlet’s difference from T_g + (T_in(t − τ) − T_g)·exp(−U′L/ṁc), means over each step, in K. Without the mixed store at the outlet, which makes the front of a real pipe less sharp.`,
    head: ['method', 'steps of 10 s', 'steps of 60 s', 'steps of 300 s'],
    rows,
  })
})

/** Per m² of floor: loss W/K, half of it by windows and air; capacity of air and of walls and slabs, kJ/K. */
const constructions = [
  { name: 'masonry, unimproved, 60 W/m²', lossWK: 2, massKJK: 450, range: [60, 150] },
  { name: 'concrete, 40 W/m²', lossWK: 1.33, massKJK: 400, range: [60, 150] },
  { name: 'concrete, 65 % standard, 30 W/m²', lossWK: 1, massKJK: 400, range: [60, 150] },
  { name: 'light public building, 50 W/m²', lossWK: 1.67, massKJK: 180, range: [20, 50] },
] as const

function toBuilding(lossWK: number, massKJK: number): Building {
  const [airToMass, wallPath] = [4.5, lossWK / 2]
  return {
    airToOutside: lossWK / 2,
    massToOutside: (wallPath * airToMass) / (airToMass - wallPath),
    airToMass,
    airCapacity: 25e3,
    massCapacity: massKJK * 1e3,
  }
}

/** Time constant in h of a cooling building, from its walls in the second and third day. */
function measureSlow(building: Building): number {
  const state = { airC: 20, massC: 18 }
  const decay = computeDecay(building, HOUR_S)
  const after: number[] = []
  for (let hour = 1; hour <= 72; hour++) {
    stepBuilding(building, decay, { outsideC: -5, airHeatW: 0, massHeatW: 0 }, state)
    if (hour % 48 === 24) after.push(state.massC + 5)
  }
  return 48 / Math.log(at(after, 0) / at(after, 1))
}

it('cools buildings with the time constants of the literature', () => {
  const rows = constructions.map(({ name, lossWK, massKJK, range: [least, most] }) => {
    const building = toBuilding(lossWK, massKJK)
    const { slowS, fastS } = timeConstants(building)
    const [slowH, fastH] = [slowS / HOUR_S, fastS / HOUR_S]
    const measuredH = measureSlow(building)
    expect(slowH, name).toBeGreaterThan(least)
    expect(slowH, name).toBeLessThan(most)
    expect(fastH, name).toBeGreaterThan(0.5)
    expect(fastH, name).toBeLessThan(2)
    expect(Math.abs(measuredH / slowH - 1), name).toBeLessThan(1e-3)
    return [name, `${least} to ${most}`, slowH.toFixed(1), measuredH.toFixed(1), fastH.toFixed(2)]
  })
  expectReported({
    id: 'thermal-buildings',
    title: 'Time constants of buildings',
    about:
      'Two heat stores with walls and slabs of the stated weight: whole buildings of masonry or concrete take 60 to 150 h, light public ones 20 to 50 h, the air 0.5 to 2 h. Computed from the eigenvalues, and measured while the building cools.',
    head: ['building', 'stated, h', 'computed, h', 'measured, h', 'air, h'],
    rows,
  })
})
