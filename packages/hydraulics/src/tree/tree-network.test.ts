import { metre, resistance } from '@isotherm/kernel/quantities'
import { expect, it } from 'vitest'
import { type Fluid, WARM_WATER } from '../elements/water.ts'
import {
  type CircuitSpec,
  createTreeNetwork,
  type PipeSpec,
  SOURCE,
  type TreeNetwork,
} from './tree-network.ts'

const pipe = (parent: number, changes: Partial<PipeSpec> = {}): PipeSpec => ({
  parent,
  length: metre(100),
  innerDiameter: metre(0.1),
  roughness: metre(0.0005),
  localLoss: 3,
  runs: 2,
  ...changes,
})
const circuit = (node: number, s = 1): CircuitSpec => ({ node, resistance: resistance(s) })

function build(pipes: readonly PipeSpec[], circuits: readonly CircuitSpec[] = []): TreeNetwork {
  const outcome = createTreeNetwork(pipes, circuits, WARM_WATER)
  if (outcome.kind !== 'tree') throw new Error(outcome.kind)
  return outcome.network
}

it('computes the coefficients of 2 · 100 m of DN 100 with water of 1000 kg/m³ and 1 mPa·s', () => {
  const water: Fluid = { densityKgM3: 1000, viscosityPaS: 1e-3 }
  const outcome = createTreeNetwork([pipe(SOURCE)], [], water)
  if (outcome.kind !== 'tree') throw new Error(outcome.kind)
  const { network } = outcome
  // 8/(ρπ²D⁴) = 8/(1000·9.8696·1e-4) = 8.10569; twice for two runs; times L/D = 1000, and times ζ = 3.
  expect(network.frictionScale[0]).toBeCloseTo(16_211.39, 2)
  expect(network.localScale[0]).toBeCloseTo(48.634, 3)
  // 4/(π·0.1·0.001)
  expect(network.reynoldsScale[0]).toBeCloseTo(12_732.395, 3)
  expect(network.relativeRoughness[0]).toBe(0.005)
  // 0.5 m/s is Re 50 000: λ = 0.25/log10²(0.005/3.7 + 5.74/50000^0.9) = 0.25/2.772095² = 0.032533.
  expect(network.typicalResistance[0]).toBeCloseTo(16_211.39 * 0.032533 + 48.634, 1)
})

it('orders pipes from the source outwards, siblings as given', () => {
  //  source ─ 3 ─ 0 ─ 4
  //             └ 2
  //         ─ 1
  const network = build([pipe(3), pipe(SOURCE), pipe(3), pipe(SOURCE), pipe(0)])
  expect([...network.order]).toEqual([1, 3, 0, 2, 4])
  expect([...network.parent]).toEqual([3, 5, 3, 5, 0])
  expect([...network.sweep.place]).toEqual([2, 0, 3, 1, 4, 5])
  expect([...network.sweep.parent]).toEqual([5, 5, 1, 1, 2])
})

it('arranges sizes and circuits by place in that order', () => {
  const sizes = [0.1, 0.2, 0.3].map((d) => ({ innerDiameter: metre(d), roughness: metre(d * d) }))
  const network = build(
    [pipe(2, sizes[0]), pipe(0, sizes[1]), pipe(SOURCE, sizes[2])],
    [circuit(1, 7), circuit(SOURCE, 8), circuit(2, 9)],
  )
  expect([...network.order]).toEqual([2, 0, 1])
  for (const name of [
    'frictionScale',
    'localScale',
    'reynoldsScale',
    'relativeRoughness',
    'typicalResistance',
  ] as const)
    expect([...network.sweep[name]]).toEqual([2, 0, 1].map((index) => network[name][index]))
  expect(network.sweep.relativeRoughness[0]).toBeCloseTo(0.3, 12)
  expect([...network.circuitNode]).toEqual([1, 3, 2])
  expect([...network.sweep.circuitPlace]).toEqual([2, 3, 0])
  expect([...network.circuitResistance]).toEqual([7, 8, 9])
  expect([...network.valveResistance]).toEqual([0, 0, 0])
})

it('reads the table of rough walls from Re 4000 on, and for other laws not at all', () => {
  const network = build([pipe(SOURCE), pipe(SOURCE, { roughness: metre(0) })])
  expect((network.sweep.minTabled[0] ?? 0) * (network.reynoldsScale[0] ?? 0)).toBeCloseTo(4000, 9)
  expect(network.sweep.minTabled[1]).toBe(Number.POSITIVE_INFINITY)
  for (const law of ['colebrook', 'nikuradse'] as const) {
    const other = createTreeNetwork([pipe(SOURCE)], [], WARM_WATER, law)
    if (other.kind !== 'tree') throw new Error(other.kind)
    expect([...other.network.sweep.minTabled]).toEqual([Number.POSITIVE_INFINITY])
  }
})

it.each<[string, Partial<PipeSpec>]>([
  ['a negative length', { length: metre(-1) }],
  ['no length', { length: metre(Number.NaN) }],
  ['a roughness as wide as the pipe', { roughness: metre(0.1) }],
  ['an endless length', { length: metre(Number.POSITIVE_INFINITY) }],
  ['no diameter', { innerDiameter: metre(0) }],
  ['a negative diameter', { innerDiameter: metre(-0.1) }],
  ['a diameter without a finite resistance', { innerDiameter: metre(1e-80) }],
  ['a negative roughness', { roughness: metre(-1e-4) }],
  ['a small negative roughness', { roughness: metre(-1e-7) }],
  ['an endless roughness', { roughness: metre(Number.POSITIVE_INFINITY) }],
  ['a negative local loss', { localLoss: -1 }],
  ['an endless local loss', { localLoss: Number.POSITIVE_INFINITY }],
  ['no run', { runs: 0 }],
  ['a negative number of runs', { runs: -1 }],
])('refuses a pipe with %s', (_, changes) => {
  expect(createTreeNetwork([pipe(SOURCE), pipe(0, changes)], [], WARM_WATER)).toEqual({
    kind: 'bad-pipe',
    pipe: 1,
  })
})

it('refuses pipes in water whose Reynolds numbers are not finite', () => {
  expect(createTreeNetwork([pipe(SOURCE)], [], { densityKgM3: 1000, viscosityPaS: 1e-310 })).toEqual({
    kind: 'bad-pipe',
    pipe: 0,
  })
})

it('takes a pipe without length, roughness and local loss', () => {
  const network = build([pipe(SOURCE, { length: metre(0), roughness: metre(0), localLoss: 0 })])
  expect(network.typicalResistance[0]).toBe(0)
})

it.each([2, 1.5, -2, Number.NaN])('refuses %d as parent of a pipe or node of a circuit', (index) => {
  expect(createTreeNetwork([pipe(SOURCE), pipe(index)], [], WARM_WATER)).toEqual({
    kind: 'unknown-parent',
    pipe: 1,
  })
  expect(
    createTreeNetwork([pipe(SOURCE), pipe(0)], [circuit(SOURCE), circuit(0), circuit(index)], WARM_WATER),
  ).toEqual({ kind: 'unknown-node', circuit: 2 })
})

it('refuses a circuit with a negative resistance or none, and takes one without loss', () => {
  for (const s of [-1, Number.NaN])
    expect(createTreeNetwork([pipe(SOURCE)], [circuit(0), circuit(0, s)], WARM_WATER)).toEqual({
      kind: 'bad-circuit',
      circuit: 1,
    })
  expect(createTreeNetwork([pipe(SOURCE)], [circuit(0, 0)], WARM_WATER).kind).toBe('tree')
})

it.each<Fluid>([
  { densityKgM3: 0, viscosityPaS: 1e-3 },
  { densityKgM3: 1000, viscosityPaS: 0 },
  { densityKgM3: -1000, viscosityPaS: 1e-3 },
  { densityKgM3: 1000, viscosityPaS: Number.NaN },
])('refuses water of $densityKgM3 kg/m³ and $viscosityPaS Pa·s', (fluid) => {
  expect(createTreeNetwork([pipe(SOURCE)], [], fluid)).toEqual({ kind: 'bad-fluid' })
})

it('reports the first pipe of a cycle or below one', () => {
  // 0 reaches the source, 1 hangs on the cycle of 2 and 3.
  expect(createTreeNetwork([pipe(SOURCE), pipe(2), pipe(3), pipe(2)], [], WARM_WATER)).toEqual({
    kind: 'cycle',
    pipe: 1,
  })
  expect(createTreeNetwork([pipe(0)], [], WARM_WATER)).toEqual({ kind: 'cycle', pipe: 0 })
})

it('has neither pipes nor circuits if none are given', () => {
  const network = build([])
  expect([network.pipeCount, network.circuitCount]).toEqual([0, 0])
})
