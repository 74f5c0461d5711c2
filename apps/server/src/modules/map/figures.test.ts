import { expect, test } from 'vitest'
import type { DeviceCounts } from '../telemetry/index.ts'
import { openFigures } from './figures.ts'

const toCounts = (devCount: number, silentCount: number): DeviceCounts => ({
  devCount,
  silentCount,
  unknownCount: 0,
  badCount: 0,
})

/** A station with two areas of five devices each, and another station with two devices. */
const counts: Readonly<Record<string, DeviceCounts>> = {
  '/1/2/': toCounts(10, 2),
  '/1/2/3/': toCounts(5, 2),
  '/1/2/4/': toCounts(5, 0),
  '/1/5/': toCounts(2, 0),
}
const means: Readonly<Record<string, number>> = { '/1/2/': 20, '/1/2/3/': 18, '/1/5/': 23 }

const open = (metric?: 'temp.room') =>
  openFigures(
    {
      openCounts: async () => (path) => counts[path] ?? toCounts(0, 0),
      values: {
        open: async () => (path) => {
          const mean = means[path]
          return mean === undefined ? undefined : { mean, low: mean - 1, high: mean + 1, count: 3 }
        },
        read: async () => new Map(),
      },
    },
    metric,
  )

test('a cluster counts no device twice: an area is in its station', async () => {
  const figures = await open('temp.room')
  expect(figures.sum(['/1/2/', '/1/2/3/', '/1/2/4/', '/1/5/'])).toEqual({
    value: { mean: 21.5, low: 19, high: 24, count: 6 },
    health: 'caution',
    devCount: 12,
    silentCount: 2,
    badCount: 0,
  })
})

test('areas without their station count individually, and without values there is no value', async () => {
  const figures = await open('temp.room')
  expect(figures.sum(['/1/2/3/', '/1/2/4/'])).toMatchObject({ value: { mean: 18 }, devCount: 10 })
  expect(figures.sum(['/1/2/4/'])).toMatchObject({ value: null, health: 'good' })
})

test('a cluster can contain all buildings of the largest company', async () => {
  const { sum } = await openFigures(
    {
      openCounts: async () => () => toCounts(1, 0),
      values: {
        open: async () => () => ({ mean: 20, low: 19, high: 21, count: 1 }),
        read: async () => new Map(),
      },
    },
    'temp.room',
  )
  const paths = Array.from({ length: 200_000 }, (_, index) => `/1/${index + 2}/`)
  expect(sum(paths)).toMatchObject({ value: { mean: 20, low: 19, high: 21 }, devCount: 200_000 })
})

test('without a metric a place shows the health of its devices', async () => {
  const figures = await open()
  expect(figures.of('/1/2/')).toEqual({
    value: null,
    health: 'caution',
    devCount: 10,
    silentCount: 2,
    badCount: 0,
  })
})
