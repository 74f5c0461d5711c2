import type { ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { createRandom } from '@isotherm/kernel/random'
import { runToEnd } from '@isotherm/kernel/run-to-end'
import { expect, test } from 'vitest'
import { createSampleStation, firstStep, withoutRooms } from '../plan/sample-station.testkit.ts'
import { createCurveSampler } from './drawn-curves.ts'
import { NO_MEMORY, remember } from './step-memory.ts'

const COUNT = 40
const LINEAR = 16
const linear = ({ kvs }: ValveCharacteristic): ValveCharacteristic => ({ kind: 'linear', kvs })

/** A station with unstated curves, of which the first ones are linear, and its sampler after one snapshot. */
function samplerOf(
  seed: number,
  linearCount: number,
  change: (flowKgS: Float64Array) => Float64Array = (flow) => flow,
) {
  const station = createSampleStation(COUNT, seed, (valve, i) => (i < linearCount ? linear(valve) : valve))
  const curves = Array.from({ length: COUNT }, () => 'assumed' as const)
  const records = { ...station.records, curves }
  // Linear valves that are far closed differ most from equal-percentage ones.
  const openings = station.openings.map((opening) => opening - 0.3)
  const { headPa, meterKgS } = withoutRooms({
    ...firstStep(station),
    readings: station.readAt(openings),
  }).readings
  const memory = remember(NO_MEMORY, { headPa, flowKgS: change(meterKgS), openings })
  return { records, memory, sampler: runToEnd(createCurveSampler(records, memory, 'metered')) }
}

test('where snapshots show linear valves among unstated ones, samples draw each curve by its own evidence', () => {
  const { sampler } = samplerOf(1, LINEAR)
  const random = createRandom(5)
  const draws = Array.from({ length: 50 }, () => sampler?.(random) ?? [])
  const shareOf = (from: number, to: number): number =>
    draws.flatMap((valves) => valves.slice(from, to)).filter(({ kind }) => kind === 'linear').length /
    (draws.length * (to - from))
  expect(shareOf(0, LINEAR)).toBeGreaterThan(2 * shareOf(LINEAR, COUNT))
  expect(draws.every(({ length }) => length === COUNT)).toBe(true)
})

test('a loop whose valves are as recorded draws none, also if one of them has a flow that its curve does not allow', () => {
  for (const seed of [1, 2, 3]) {
    expect(samplerOf(seed, 0).sampler).toBeUndefined()
    expect(samplerOf(seed, 0, (flow) => flow.with(7, 4 * (flow[7] ?? 0))).sampler).toBeUndefined()
  }
})

test('stated curves are not drawn', () => {
  const { records, memory } = samplerOf(1, LINEAR)
  const { curves: _, ...stated } = records
  expect(runToEnd(createCurveSampler(stated, memory, 'metered'))).toBeUndefined()
  expect(runToEnd(createCurveSampler(records, NO_MEMORY, 'metered'))).toBeUndefined()
})
