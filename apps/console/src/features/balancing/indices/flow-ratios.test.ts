import { expect, test } from 'vitest'
import { countFlowRatios } from './flow-ratios.ts'

const valve = (flowM3H: number | undefined, areaM2 = 100) => ({ flowM3H, areaM2 })

test('valves are counted by their share of the flow divided by their share of the area', () => {
  const counts = countFlowRatios([valve(1), valve(2, 200), valve(0.3), valve(1.7), valve(undefined)])
  expect(counts.map(({ valves }) => valves)).toEqual([1, 0, 0, 2, 0, 1, 0])
  expect(counts.filter(({ passes }) => passes)).toEqual([{ from: 0.9, to: 1.2, valves: 2, passes: true }])
  expect(counts[0]).toEqual({ to: 0.5, valves: 1, passes: false })
  expect(counts.at(-1)).toEqual({ from: 2, valves: 0, passes: false })
})

test('without measured flows nothing is counted', () => {
  expect(countFlowRatios([valve(undefined), valve(0)])).toEqual([])
})
