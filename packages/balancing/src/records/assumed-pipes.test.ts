import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import {
  type CircuitSpec,
  createTreeNetwork,
  type PipeSpec,
  SOURCE,
} from '@isotherm/hydraulics/tree/tree-network'
import { metre, resistance } from '@isotherm/kernel/quantities'
import { expect, test } from 'vitest'
import { pipeS } from '../loop/loop-model.ts'
import { stationPipe, usualDiameter, usualPipe } from './assumed-pipes.ts'

/** Drop of a pipe alone at a flow, Pa. */
function dropOf(pipe: PipeSpec, flowKgS: number): number {
  const circuit: CircuitSpec = { node: 0, resistance: resistance(1) }
  const outcome = createTreeNetwork([pipe], [circuit], WARM_WATER)
  if (outcome.kind !== 'tree') throw new Error(outcome.kind)
  return pipeS(outcome.network, 0, flowKgS) * flowKgS ** 2
}

test('a usual pipe has at most 100 Pa/m, and one size smaller would have more', () => {
  const sizes = [0.0273, 0.0354, 0.041, 0.053, 0.0703, 0.0825, 0.1071]
  for (const flowKgS of [0.1, 0.3, 0.8, 1, 2, 4, 8]) {
    const inner = usualDiameter(flowKgS)
    const pipe = { ...usualPipe(SOURCE, 1, flowKgS, 0), runs: 1 }
    expect(dropOf(pipe, flowKgS), String(flowKgS)).toBeLessThanOrEqual(100)
    const smaller = sizes[sizes.indexOf(inner) - 1]
    if (smaller === undefined) continue
    const narrow = { ...pipe, innerDiameter: metre(smaller) }
    expect(dropOf(narrow, flowKgS), String(flowKgS)).toBeGreaterThan(100)
  }
})

test('the smallest pipe is DN 25, and a flow beyond all sizes gets DN 400', () => {
  expect(usualDiameter(0.01)).toBe(0.0273)
  expect(usualDiameter(5000)).toBe(0.408)
})

test('a usual trench has supply and return, its length, and the ζ of its bends', () => {
  expect(usualPipe(3, 45, 1, 2)).toEqual({
    parent: 3,
    length: 45,
    innerDiameter: 0.053,
    roughness: 0.0005,
    localLoss: 2,
    runs: 2,
  })
})

test('the pipework of a station takes its drop at the design flow, besides the friction of a metre', () => {
  const pipe = stationPipe(SOURCE, 5, 50_000)
  expect(pipe).toMatchObject({ parent: SOURCE, length: 1, runs: 2 })
  // A metre of supply and of return at no more than 100 Pa/m.
  const friction = dropOf({ ...pipe, localLoss: 0 }, 5)
  expect(friction).toBeLessThan(200)
  expect(dropOf(pipe, 5) - friction).toBeCloseTo(50_000, 6)
})
