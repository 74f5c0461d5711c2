import { expect, it } from 'vitest'
import { heatInRun } from '../physics/heat-in-run.testkit.ts'
import { WATER } from '../physics/water.ts'
import { createWeather } from '../physics/weather.ts'
import { generatePlant } from './generate-plant.ts'
import {
  clogStrainer,
  copyPlant,
  moveMotor,
  type Plant,
  setSupplyShift,
  startPlant,
  stepPlant,
} from './plant.ts'

const STEP_S = 600

const start = (seed: number, clogged = 0): Plant =>
  startPlant(generatePlant({ seed, clogged }), createWeather(seed, STEP_S, 1000, 80 * 3600))

it('loses no heat between the station and the buildings but to the ground and the leak', () => {
  const plant = start(4)
  const { spec, supplyRuns, returnRuns, flows, branches } = plant
  const stored = (): number =>
    spec.runs.reduce((sum, run, t) => {
      const [supply, back] = [supplyRuns[t], returnRuns[t]]
      if (!supply || !back) return sum
      return sum + heatInRun(run, supply, plant.timeS) + heatInRun(run, back, plant.timeS)
    }, 0)
  const before = stored()
  let [given, taken] = [0, 0]
  for (let step = 0; step < 144; step++) {
    stepPlant(plant)
    const lost = spec.leaks.reduce((sum, { flowKgS }) => sum + flowKgS, 0)
    given += flows.totalKgS * plant.stationSupplyC - (flows.totalKgS - lost) * plant.stationReturnC
    for (const [building, supplyC] of plant.supplyC.entries())
      taken += (flows.branchKgS[building] ?? 0) * (supplyC - (plant.returnC[building] ?? 0))
  }
  const heat = WATER.heatJKgK * STEP_S
  const change = stored() - before
  // Ground and leak take the rest: some per cent of the heat, as in secondary networks.
  const rest = (heat * (given - taken) - change) / (heat * given)
  expect(branches.junction).toHaveLength(61)
  expect(rest).toBeGreaterThan(0.005)
  expect(rest).toBeLessThan(0.08)
})

it('delays the temperature of the station on its way to far buildings', () => {
  const other = start(2)
  for (let step = 0; step < 6; step++) stepPlant(other)
  const far = copyPlant(other)
  // A warmer outdoor mean lowers the curve at once; far buildings notice it later than near ones.
  far.outdoorMeanC += 10
  const noticed = new Map<number, number>()
  for (let step = 0; step < 12; step++) {
    stepPlant(far)
    stepPlant(other)
    for (const [building, supplyC] of far.supplyC.entries())
      if (!noticed.has(building) && (other.supplyC[building] ?? 0) - supplyC > 1) noticed.set(building, step)
  }
  const steps = [...noticed.values()]
  expect(noticed.size).toBe(60)
  expect(Math.min(...steps)).toBe(0)
  expect(Math.max(...steps)).toBeGreaterThanOrEqual(1)
})

it('moves a stem behind the dead travel of its motor, and a blocked one not at all', () => {
  const plant = start(1)
  const [first, second] = plant.motors
  const backlash = plant.spec.buildings[0]?.backlash ?? 0
  const from = first?.position ?? 0
  moveMotor(plant, 0, from - 0.2)
  expect(first?.stem).toBeCloseTo(from - 0.2 + backlash / 2, 12)
  moveMotor(plant, 0, from - 0.2 + backlash / 4)
  expect(first?.stem).toBeCloseTo(from - 0.2 + backlash / 2, 12)
  if (second) second.isBlocked = true
  const stem = second?.stem
  moveMotor(plant, 1, 0.3)
  expect(second?.position).toBe(0.3)
  expect(second?.stem).toBe(stem)
})

it('starves the building behind a clogged strainer to cold rooms and a cold return', () => {
  for (const seed of [1, 3, 5]) {
    const plant = start(seed, 1)
    const returns = [...plant.returnC]
    const building = returns.indexOf(Math.min(...returns))
    const rooms = plant.temps.airC.subarray(10 * building, 10 * building + 10)
    const mean = rooms.reduce((sum, value) => sum + value, 0) / 10
    expect(mean).toBeGreaterThan(12.5)
    expect(mean).toBeLessThan(15.5)
    expect(returns[building]).toBeLessThan(20.5)
  }
})

it('gives less flow to a building whose strainer clogs, and keeps that after a move of its valve', () => {
  const [clean, clogged] = [start(7), start(7)]
  clogStrainer(clogged, 12, 5)
  for (const plant of [clean, clogged]) {
    moveMotor(plant, 12, 0.9)
    stepPlant(plant)
  }
  const [before, after] = [clean, clogged].map(({ flows }) => flows.branchKgS[12] ?? 0)
  expect(after).toBeLessThan(0.95 * (before ?? 0))
  const other = copyPlant(clogged)
  clogStrainer(other, 12, 2)
  expect(other.strainers[12]).toBeCloseTo(2 * (clogged.strainers[12] ?? 0), 9)
})

it('shifts the supply of the station by as much as ordered', () => {
  const [usual, warmer] = [start(7), start(7)]
  setSupplyShift(warmer, 3)
  for (const plant of [usual, warmer]) stepPlant(plant)
  expect(warmer.stationSupplyC - usual.stationSupplyC).toBeCloseTo(3, 9)
})
