import { kvAtOpening, type ValveCharacteristic, valveResistance } from '@isotherm/hydraulics/elements/valve'
import { flowCoefficient, openingRatio } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { weighCurve } from './curve-evidence.ts'

const DENSITY = 985
const CIRCUIT_S = 20_000
const kvs = flowCoefficient(16)
const equal: ValveCharacteristic = { kind: 'equal-percentage', kvs, rangeability: 40 }
const linear: ValveCharacteristic = { kind: 'linear', kvs }
const quick: ValveCharacteristic = { kind: 'quick-opening', kvs }
const usual = { circuit: 0, circuitSigma: 0.6, isPlate: true }

const wholeS = (valve: ValveCharacteristic, stem: number): number =>
  CIRCUIT_S + valveResistance(kvAtOpening(valve, openingRatio(stem)), DENSITY)

/** What snapshots show of a true valve at true stems. */
const seriesOf = (valve: ValveCharacteristic, stems: readonly number[], sigma = 0.015) => ({
  ownS: Float64Array.from(stems, (stem) => wholeS(valve, stem)),
  sigma: Float64Array.from(stems, (_, k) => (k === 0 ? 0 : sigma)),
  circuitS: CIRCUIT_S,
})

const likelihood = (
  truth: ValveCharacteristic,
  tried: ValveCharacteristic,
  stems: readonly number[],
  assumedStems = stems,
): number => weighCurve(seriesOf(truth, stems), tried, assumedStems, usual, DENSITY).logLikelihood

test('the true curve explains a move best', () => {
  const curves = [equal, linear, quick]
  for (const truth of curves) {
    const logs = curves.map((tried) => likelihood(truth, tried, [0.6, 0.25]))
    expect(logs.indexOf(Math.max(...logs))).toBe(curves.indexOf(truth))
  }
})

test('the change of a known curve is ½·ln((S_c + S_v(from))/(S_c + S_v(to)))', () => {
  const { change, circuit } = weighCurve(
    seriesOf(equal, [0.5, 0.7, 0.4]),
    equal,
    [0.5, 0.7, 0.4],
    usual,
    DENSITY,
  )
  expect(change[0]).toBe(0)
  expect(change[1]).toBeCloseTo(Math.log(wholeS(equal, 0.5) / wholeS(equal, 0.7)) / 2, 1)
  expect(change[2]).toBeCloseTo(Math.log(wholeS(equal, 0.5) / wholeS(equal, 0.4)) / 2, 1)
  expect(change[1]).toBeGreaterThan(0)
  expect(change[2]).toBeLessThan(0)
  expect(circuit).toBeCloseTo(0, 0)
})

test('flows that do not respond to a large move are explained by a stem that stays', () => {
  const still = seriesOf(equal, [0.6, 0.6])
  const log = (stems: readonly number[]) => weighCurve(still, equal, stems, usual, DENSITY).logLikelihood
  expect(log([0.6, 0.6]) - log([0.6, 0.3])).toBeGreaterThan(4)
})

test('a valve that would take more than the whole resistance is unlikely; a wrong plate still allows it', () => {
  // At 25 % an equal-percentage valve takes ten times the resistance that is there.
  const small = { ...seriesOf(linear, [0.25]), circuitS: CIRCUIT_S }
  const log = (tried: ValveCharacteristic) => weighCurve(small, tried, [0.25], usual, DENSITY).logLikelihood
  expect(log(linear) - log(equal)).toBeGreaterThan(3)
  expect(Number.isFinite(log(equal))).toBe(true)
})

test('a Kvs without a plate leaves more curves possible', () => {
  const series = seriesOf(linear, [0.3])
  const gapOf = (isPlate: boolean): number => {
    const [one, other] = [linear, equal].map(
      (tried) => weighCurve(series, tried, [0.3], { ...usual, isPlate }, DENSITY).logLikelihood,
    )
    return (one ?? 0) - (other ?? 0)
  }
  expect(gapOf(true)).toBeGreaterThan(gapOf(false))
})

test('a wide error of flows makes a stem that stays no more likely than one that follows', () => {
  const gapAt = (sigma: number): number => {
    const still = seriesOf(equal, [0.6, 0.6], sigma)
    const [stays = 0, follows = 0] = [
      [0.6, 0.6],
      [0.6, 0.45],
    ].map((stems) => weighCurve(still, equal, stems, usual, DENSITY).logLikelihood)
    return stays - follows
  }
  expect(gapAt(0.015)).toBeGreaterThan(gapAt(0.1))
  expect(gapAt(0.5)).toBeLessThan(0.5)
})

test('the most likely circuit lies between its prior and what the flows show', () => {
  const circuitAt = (circuit: number) =>
    weighCurve(seriesOf(equal, [0.6, 0.3]), equal, [0.6, 0.3], { ...usual, circuit }, DENSITY).circuit
  // The flows show the recorded circuit, ln β = 0.
  expect(circuitAt(0.8)).toBeGreaterThan(circuitAt(0) + 0.02)
  expect(circuitAt(0.8)).toBeLessThan(0.7)
  expect(circuitAt(-0.8)).toBeLessThan(circuitAt(0) - 0.02)
  expect(circuitAt(-0.8)).toBeGreaterThan(-0.7)
})

test('a curve that cannot explain the flows leaves the circuit at its prior and expects no change', () => {
  const jump = { ...seriesOf(equal, [0.6, 0.6], 1e-6), ownS: Float64Array.of(30_000, 3e9) }
  const evidence = weighCurve(jump, equal, [0.6, 0.6], { ...usual, circuit: 0.3 }, DENSITY)
  expect(evidence.logLikelihood).toBe(-Infinity)
  expect(evidence.circuit).toBe(0.3)
  expect([...evidence.change]).toEqual([0, 0])
})

test('a stem may miss its command by its backlash, but does not move without one', () => {
  const log = (commanded: number, reached: number) =>
    weighCurve(seriesOf(equal, [0.6, reached], 0.002), equal, [0.6, commanded], usual, DENSITY).logLikelihood
  const moved = log(0.62, 0.62) - log(0.62, 0.632)
  const still = log(0.6, 0.6) - log(0.6, 0.612)
  expect(moved).toBeLessThan(2)
  expect(still).toBeGreaterThan(moved + 3)
})
