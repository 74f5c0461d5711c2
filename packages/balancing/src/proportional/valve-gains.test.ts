import type { ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { flowCoefficient, pascal } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { approachS } from '../loop/approach-resistance.ts'
import { solveLoop } from '../loop/loop-flows.ts'
import { scaleCircuits, valveS } from '../loop/loop-model.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import type { LoopReadings } from '../records/loop-records.ts'
import { gainFor, returnSensitivity } from './proportional.ts'
import { scheduleGains } from './valve-gains.ts'

const COUNT = 8
const SHARE = 0.6
const RANGEABILITY = 40
const EXPONENT = 1.3
const USUAL_VALVE = {
  kind: 'equal-percentage',
  kvs: flowCoefficient(16),
  rangeability: RANGEABILITY,
} as const
const loop = createSampleLoop(COUNT)
const openings = filled(COUNT, 1)
const readings: LoopReadings = {
  supplyC: filled(COUNT, 46),
  returnC: filled(COUNT, 40),
  roomC: filled(COUNT, 20),
  meterKgS: filled(COUNT, 1),
  outdoorC: -5,
  headPa: 60_000,
  totalKgS: COUNT,
}

function gainsOf(model: typeof loop, readings: LoopReadings): Float64Array {
  const flows = solveLoop(model, openings, { kind: 'pump', pump: { h0: 60_000, h1: 0, h2: 0 }, speed: 1 })
  return scheduleGains(model, flows, { readings, openings, exponent: filled(COUNT, EXPONENT) }, SHARE)
}

/** The gain at an authority, a drop and an excess temperature. */
const gainAt = (authority: number, dropK: number, excessK: number): number =>
  gainFor(
    { authority, rangeability: RANGEABILITY, sensitivityK: returnSensitivity(dropK, excessK, EXPONENT) },
    SHARE,
  )

test('a valve with hardly any authority gets the gain of the minimum authority, 5 %', () => {
  const heavy = scaleCircuits(loop, filled(COUNT, 1_000))
  for (const gain of gainsOf(heavy, readings)) expect(gain).toBeCloseTo(gainAt(0.05, 6, 23), 9)
  for (const gain of gainsOf(loop, readings)) expect(gain).toBeLessThan(gainAt(0.05, 6, 23))
})

test('a return as warm as the supply, or colder than the rooms, counts as a difference of 1 K', () => {
  const heavy = scaleCircuits(loop, filled(COUNT, 1_000))
  for (const gain of gainsOf(heavy, { ...readings, returnC: readings.supplyC }))
    expect(gain).toBeCloseTo(gainAt(0.05, 1, 26), 9)
  const cold = { ...readings, supplyC: filled(COUNT, 20), returnC: filled(COUNT, 14) }
  for (const gain of gainsOf(heavy, cold)) expect(gain).toBeCloseTo(gainAt(0.05, 6, 1), 9)
})

/** Four open valves of one characteristic each, at a head of 60 kPa, and their gains. */
function gainsWith(valve: ValveCharacteristic) {
  const sample = createSampleLoop(4)
  const model = { ...sample, valves: sample.valves.map(() => valve) }
  const flows = solveLoop(model, filled(4, 1), { kind: 'head', head: pascal(60_000) })
  const order = { readings, openings: filled(4, 1), exponent: filled(4, EXPONENT) }
  return { model, flows, gains: scheduleGains(model, flows, order, SHARE) }
}

test('the authority of a valve is its share of the loss of approach, circuit and valve', () => {
  const { model, flows, gains } = gainsWith(USUAL_VALVE)
  const approach = approachS(model, flows)
  for (const [i, gain] of gains.entries()) {
    const own = valveS(model, i, 1)
    const before = (approach[i] ?? 0) + (model.network.circuitResistance[i] ?? 0)
    expect(approach[i]).toBeGreaterThan(0.05 * own)
    expect(gain).toBeCloseTo(gainAt(own / (own + before), 6, 23), 9)
  }
})

test('gains use the rangeability of an equal-percentage valve, and a usual one for any other valve', () => {
  const { gains: usual } = gainsWith(USUAL_VALVE)
  const { gains: narrow } = gainsWith({ ...USUAL_VALVE, rangeability: 20 })
  const { gains: linear } = gainsWith({ kind: 'linear', kvs: USUAL_VALVE.kvs })
  for (const [i, gain] of usual.entries()) {
    expect((narrow[i] ?? 0) / gain).toBeCloseTo(Math.log(RANGEABILITY) / Math.log(20), 9)
    expect(linear[i]).toBeCloseTo(gain, 9)
  }
})
