import { expect, test } from 'vitest'
import { keepEstimates, type RoundMemory, readMemory } from './round-memory.ts'

const areas = { areaM2: [1000], source: ['recorded' as const], sigma: [0] }
const lossOf = (dropPa: number) => ({ dropPa, sigma: 0.1, source: 'pressures' as const })
const createMemory = (devices: readonly number[], station: RoundMemory['estimates']): RoundMemory => ({
  devices,
  step: { snapshots: [], broken: [], suspected: [], proven: [] },
  ...(station && { estimates: station }),
  openings: [0.5],
  reportedPct: [50],
  moves: [],
  isTrim: false,
  rooms: { measured: [], cold: [] },
})
const loopOf = (...ids: readonly number[]) => ({ consumers: ids.map((deviceId) => ({ deviceId })) })

test('a new campaign keeps the exchanger of the last accepted one within its error, and only in the same loop', () => {
  const accepted = createMemory([7], { areas, station: lossOf(41_000) })
  const now = { areas, station: lossOf(43_000) }
  expect(keepEstimates(now, accepted, loopOf(7)).station.dropPa).toBe(41_000)
  expect(keepEstimates(now, accepted, loopOf(8)).station.dropPa).toBe(43_000)
  expect(keepEstimates(now, undefined, loopOf(7))).toBe(now)
  const other = { areas, station: lossOf(60_000) }
  expect(keepEstimates(other, accepted, loopOf(7)).station.dropPa).toBe(60_000)
})

test('a memory of an earlier version has the assumed loss', () => {
  const stored: unknown = { ...createMemory([7], undefined), estimates: { areas, hasPressures: true } }
  expect(readMemory(stored).estimates?.station).toEqual({ dropPa: 50_000, sigma: 0.4, source: 'assumed' })
})
