import { expect, test } from 'vitest'
import { keepEstimates, type RoundMemory, readMemory, withTakenBack } from './round-memory.ts'

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

test('a valve that was taken back has not moved, and one that opened again in part has moved less', () => {
  const closed: RoundMemory = {
    ...createMemory([7, 8, 9], undefined),
    openings: [0.4, 0.4, 0.4],
    reportedPct: [40, 40, 40],
    moves: [0, 1, 2].map((consumer) => ({ consumer, from: 0.8, to: 0.4 })),
  }
  const { moves, openings, reportedPct } = withTakenBack(
    closed,
    new Map([
      [7, 80],
      [8, 60],
    ]),
  )
  // The stem of a valve that opens again lags by half of the dead travel.
  expect(moves).toEqual([
    { consumer: 1, from: 0.8, to: 0.5925 },
    { consumer: 2, from: 0.8, to: 0.4 },
  ])
  expect(openings).toEqual([0.8, 0.5925, 0.4])
  expect(reportedPct).toEqual([80, 60, 40])
})
