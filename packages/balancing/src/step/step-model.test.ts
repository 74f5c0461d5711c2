import { pascal } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { USUAL_PRIOR } from '../identify/identify-loop.ts'
import type { HydraulicSnapshot } from '../identify/identify-snapshot.ts'
import { solveLoop } from '../loop/loop-flows.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import { filled } from '../loop/sample-loop.testkit.ts'
import { createSampleStation, type SampleStation } from '../plan/sample-station.testkit.ts'
import { assumeRecords } from '../records/assumed-loop.ts'
import { NO_MEMORY, remember, type StepMemory } from './step-memory.ts'
import { modelOf, priorOf } from './step-model.ts'

const COUNT = 12
const snapshotAt = ({ readAt }: SampleStation, openings: Float64Array): HydraulicSnapshot => {
  const { headPa, meterKgS } = readAt(openings)
  return { headPa, flowKgS: meterKgS, openings }
}
const memoryOf = (...snapshots: readonly HydraulicSnapshot[]): StepMemory =>
  snapshots.reduce(remember, NO_MEMORY)
/** Largest relative error of the flows that a model predicts for a snapshot. */
function missOf(model: LoopModel, { headPa, flowKgS, openings }: HydraulicSnapshot): number {
  const predicted = solveLoop(model, openings, { kind: 'head', head: pascal(headPa) }).flowKgS
  return Math.max(...predicted.map((flow, i) => Math.abs(flow / (flowKgS[i] ?? Number.NaN) - 1)))
}

test('the prior of a loop has the usual widths, 1.2 % for meters, 12 % without, and 0.5 % of the head', () => {
  const snapshot = { headPa: 80_000, flowKgS: filled(3, 1), openings: filled(3, 0.5) }
  expect(priorOf({}, snapshot, 'metered')).toEqual({
    ...USUAL_PRIOR,
    flow: Float64Array.of(0.012, 0.012, 0.012),
    headPa: 400,
  })
  expect([...priorOf({}, snapshot, 'temperature-only').flow]).toEqual([0.12, 0.12, 0.12])
})

test('recorded pipes have their own widths in the prior', () => {
  const snapshot = { headPa: 80_000, flowKgS: filled(1, 1), openings: filled(1, 0.5) }
  const mainsSigma = Float64Array.of(0.4, 0.2)
  expect(priorOf({ mainsSigma }, snapshot, 'metered').mains).toBe(mainsSigma)
})

test('without a snapshot the loop is as recorded', () => {
  const { records } = createSampleStation(COUNT, 1)
  expect(modelOf(records, NO_MEMORY, 'metered')).toBe(records.loop)
})

test('the model reproduces the newest snapshot, and the same memory gives the same model', () => {
  const station = createSampleStation(COUNT, 1)
  const [first, second, third] = [
    snapshotAt(station, station.openings),
    snapshotAt(station, filled(COUNT, 0.5)),
    snapshotAt(station, filled(COUNT, 0.8)),
  ]
  for (const snapshots of [[first], [first, second], [first, second, third]]) {
    const memory = memoryOf(...snapshots)
    const model = modelOf(station.records, memory, 'metered')
    expect(missOf(model, snapshots.at(-1) ?? first)).toBeLessThan(1e-3)
    expect(modelOf(station.records, memory, 'metered')).toEqual(model)
  }
})

test('snapshots at other openings predict a new opening better than one snapshot, and that better than records', () => {
  const station = createSampleStation(COUNT, 2)
  const turned = (shift: number) =>
    snapshotAt(
      station,
      station.openings.map((_, i) => 0.45 + 0.05 * ((7 * i + shift) % 11)),
    )
  const elsewhere = turned(9)
  const predicted = (...snapshots: readonly HydraulicSnapshot[]) =>
    missOf(modelOf(station.records, memoryOf(...snapshots), 'metered'), elsewhere)
  const [none, one] = [predicted(), predicted(turned(0))]
  expect(one).toBeLessThan(0.7 * none)
  expect(predicted(turned(0), turned(3), turned(6))).toBeLessThan(0.7 * one)
})

test('a loop with a ring is modelled by the tree that has the flows of the snapshot', () => {
  const trench = (from: string, to: string) => ({
    from,
    to,
    lengthM: 80,
    innerDiameterM: 0.0703,
    roughnessM: 0.0005,
  })
  const places = ['b0', 'b1', 'b2']
  const records = assumeRecords({
    place: 's',
    pipes: [trench('s', 'b0'), trench('b0', 'b1'), trench('b1', 'b2'), trench('b2', 's')],
    areas: [{ buildings: places.map((place) => ({ place, units: [{ place, areaM2: 1000, kvs: 25 }] })) }],
  })
  const snapshot = { headPa: 150_000, flowKgS: Float64Array.of(2, 1, 0.5), openings: filled(3, 0.6) }
  const model = modelOf(records, memoryOf(snapshot), 'metered')
  // Most of the water for the middle building comes through the pipe that the tree of fewest pipes leaves out.
  expect(model.pipes.map(({ parent }) => parent)).not.toEqual(records.loop.pipes.map(({ parent }) => parent))
  expect(missOf(model, snapshot)).toBeLessThan(1e-3)
})
