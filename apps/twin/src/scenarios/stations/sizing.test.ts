import { SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import { flowCoefficient, metre, resistance } from '@isotherm/kernel/quantities'
import { expect, it } from 'vitest'
import { sizePump } from './sizing.ts'

const street = {
  parent: SOURCE,
  length: metre(100),
  innerDiameter: metre(0.1),
  roughness: metre(5e-4),
  localLoss: 3,
  runs: 2,
}
const house = {
  node: 0,
  circuit: resistance(2_000),
  valve: { kind: 'linear', kvs: flowCoefficient(16) },
  designFlowKgS: 2,
} as const

it('sizes a pump that gives the one consumer its design flow with the valve at 80 %', () => {
  const pump = sizePump('East', [street], [house], 0, 1)
  const head = pump.h0 - pump.h2 * house.designFlowKgS ** 2
  expect(head / (pump.h0 / 1.25)).toBeCloseTo(1, 2)
})

it('refuses by the name of the station to size a pump for pipes that no water can leave, or without flows', () => {
  expect(() => sizePump('East', [street], [], 0, 1)).toThrow('East: no flows to size a pump by (dry)')
  const early = { tolerance: 1e-9, maxRefreshes: 1 }
  expect(() => sizePump('East', [street], [house], 0, 1, early)).toThrow(
    'East: no flows to size a pump by (not-converged)',
  )
  expect(() => sizePump('East', [{ ...street, parent: 7 }], [house], 0, 1)).toThrow(
    'East: the pipes are no tree (unknown-parent)',
  )
})
