import { expect, test } from 'vitest'
import { NO_MEMORY, remember, snapshotsOf } from './step-memory.ts'

const snapshot = (headPa: number) => ({
  headPa,
  flowKgS: Float64Array.of(1, 2),
  openings: Float64Array.of(0.5, 0.75),
})

test('a memory holds every snapshot, oldest first, and survives JSON', () => {
  const memory = remember(remember(NO_MEMORY, snapshot(90_000)), snapshot(100_000))
  expect(snapshotsOf(JSON.parse(JSON.stringify(memory)))).toEqual([snapshot(90_000), snapshot(100_000)])
  expect(NO_MEMORY.snapshots).toEqual([])
})

test('a new snapshot leaves what is known about the valves unchanged', () => {
  const memory = { snapshots: [], broken: [1], suspected: [2], proven: [3] }
  expect(remember(memory, snapshot(90_000))).toMatchObject({ broken: [1], suspected: [2], proven: [3] })
})
