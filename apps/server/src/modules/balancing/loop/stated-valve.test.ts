import { kvAtOpening, openingForKv } from '@isotherm/hydraulics/elements/valve'
import { flowCoefficient, openingRatio } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { toStatedValve } from './stated-valve.ts'

const measured = (...pairs: readonly (readonly [number, number])[]) =>
  toStatedValve({
    kind: 'measured',
    points: pairs.map(([openingPct, kvM3H]) => ({ openingPct, kvM3H })),
  })

test('a stated shape keeps its Kvs and its rangeability', () => {
  expect(toStatedValve({ kind: 'linear', kvsM3H: 16 })).toEqual({ kind: 'linear', kvs: 16 })
  expect(toStatedValve({ kind: 'quick-opening', kvsM3H: 25 })).toEqual({ kind: 'quick-opening', kvs: 25 })
  expect(toStatedValve({ kind: 'equal-percentage', kvsM3H: 10, rangeability: 30 })).toEqual({
    kind: 'equal-percentage',
    kvs: 10,
    rangeability: 30,
  })
})

test('a measured curve goes through its points, with straight lines between them', () => {
  const valve = measured([0, 0.2], [30, 1], [55, 6], [100, 16])
  // The largest common distance of 30, 55 and 100 % is 5 %.
  expect(valve).toMatchObject({ kind: 'learned', kvs: 16 })
  const kvs = [0, 0.15, 0.3, 0.425, 0.55, 1].map((opening) => kvAtOpening(valve, openingRatio(opening)))
  for (const [index, kv] of [0.2, 0.6, 1, 3.5, 6, 16].entries()) expect(kvs[index]).toBeCloseTo(kv, 9)
  expect(openingForKv(valve, flowCoefficient(11))).toMatchObject({ opening: expect.closeTo(0.775, 9) })
})

test('a curve that is measured from an opening on is tight when closed', () => {
  const valve = measured([50, 2], [75, 6], [100, 10])
  expect(kvAtOpening(valve, openingRatio(0))).toBe(0)
  expect(kvAtOpening(valve, openingRatio(0.25))).toBeCloseTo(1, 9)
})
