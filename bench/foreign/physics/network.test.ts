import { expect, it } from 'vitest'
import { branchesOf } from '../plant/branches.ts'
import { generatePlant } from '../plant/generate-plant.ts'
import { headOf } from '../plant/pump-head.ts'
import { pipeLossPa } from './friction.ts'
import { solveNetwork, type Trench } from './network.ts'

/** A trench without friction: only a local loss, so that the loss is exactly quadratic. */
const orifice = (before: number): Trench => ({ before, lengthM: 0, innerM: 0.05, roughnessM: 1e-4, zeta: 10 })

it('solves a chain of two buildings by hand', () => {
  const trenches = [orifice(-1), orifice(0)]
  const branches = { junction: Int32Array.of(0, 1), resistance: Float64Array.of(20_000, 5_000) }
  const { branchKgS, totalKgS, headPa } = solveNetwork(
    trenches,
    branches,
    [],
    () => 50_000,
    Float64Array.of(1, 1),
  )
  // One pipe: ζ/(2ρA²) = 10/(2·990.2·(1.96350e-3)²) = 1309.75 Pa/(kg/s)²; supply and return 2619.5.
  // Behind the second trench: S = 2619.5 + 5000 = 7619.5. Conductances: 1/√20000 + 1/√7619.5 = 0.018527.
  // All: 2619.5 + 1/0.018527² = 5532.7; total √(50000/5532.7) = 3.0062 kg/s.
  expect(totalKgS).toBeCloseTo(3.0062, 3)
  expect(headPa).toBeCloseTo(50_000, 6)
  expect(branchKgS[0]).toBeCloseTo((3.0062 * 0.0070711) / 0.018527, 3)
  expect(branchKgS[1]).toBeCloseTo((3.0062 * 0.0114562) / 0.018527, 3)
})

it('follows the curve of a pump', () => {
  const head = (flow: number) => 60_000 - 1000 * flow ** 2
  const branches = { junction: Int32Array.of(0), resistance: Float64Array.of(5_000) }
  const { totalKgS } = solveNetwork([orifice(-1)], branches, [], head, Float64Array.of(1))
  // 60000 = (1000 + 2619.5 + 5000)·q².
  expect(totalKgS).toBeCloseTo(Math.sqrt(60_000 / 8619.5), 4)
})

it('conserves mass and head in a generated plant with a leak and a by-pass', () => {
  const plant = generatePlant({ seed: 3 })
  const branches = branchesOf(plant)
  const start = new Float64Array(branches.junction.length).fill(0.5)
  const solved = solveNetwork(plant.trenches, branches, plant.leaks, headOf(plant.pump, undefined), start)
  const { supplyKgS, returnKgS, branchKgS, headPa, totalKgS } = solved
  const lost = plant.leaks.reduce((sum, { flowKgS }) => sum + flowKgS, 0)
  expect(lost).toBeGreaterThan(0)
  expect(totalKgS).toBeCloseTo(branchKgS.reduce((sum, flow) => sum + flow, 0) + lost, 6)
  expect(supplyKgS[0]).toBeCloseTo(totalKgS, 6)
  expect(returnKgS[0]).toBeCloseTo(totalKgS - lost, 6)
  for (const [branch, junction] of branches.junction.entries()) {
    let head = headPa
    for (let at = junction; at >= 0; at = plant.trenches[at]?.before ?? -1) {
      const trench = plant.trenches[at] ?? orifice(-1)
      head -= pipeLossPa(trench, supplyKgS[at] ?? 0) + pipeLossPa(trench, returnKgS[at] ?? 0)
    }
    const own = (branches.resistance[branch] ?? 0) * (branchKgS[branch] ?? 0) ** 2
    expect(Math.abs(own - head)).toBeLessThan(1e-4 * headPa)
  }
})
