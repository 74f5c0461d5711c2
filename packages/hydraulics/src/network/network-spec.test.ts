import { kilogramPerSecond, metre, pascalGauge, resistance } from '@isotherm/kernel/quantities'
import { describe, expect, it } from 'vitest'
import type { PumpCurve } from '../elements/pump.ts'
import { WARM_WATER } from '../elements/water.ts'
import {
  findMistake,
  type LinkSpec,
  type NetworkSpec,
  type NodeSpec,
  toCoefficients,
} from './network-spec.ts'

const given: NodeSpec = { height: metre(0), pressure: pascalGauge(1e5), demand: kilogramPerSecond(0) }
const free: NodeSpec = { height: metre(0), demand: kilogramPerSecond(0) }
const ends = { from: 0, to: 1 }
const resistor = (s: number, changes: Partial<typeof ends> = {}): LinkSpec => ({
  kind: 'resistor',
  ...ends,
  resistance: resistance(s),
  ...changes,
})
const pump = (changes: Partial<PumpCurve>, speed = 1): LinkSpec => ({
  kind: 'pump',
  ...ends,
  curve: { h0: 1000, h1: 0, h2: 1, ...changes },
  speed,
})
type Pipe = LinkSpec & { readonly kind: 'pipe' }
const pipe = (changes: Partial<Pipe> = {}): Pipe => ({
  kind: 'pipe',
  ...ends,
  length: metre(100),
  innerDiameter: metre(0.1),
  roughness: metre(5e-4),
  localLoss: 2,
  ...changes,
})
const network = (changes: Partial<NetworkSpec>): NetworkSpec => ({
  nodes: [given, free],
  links: [],
  fluid: WARM_WATER,
  friction: 'swamee-jain',
  ...changes,
})
/** The mistake of a network whose second link is in question. */
const judge = (link: LinkSpec) => findMistake(network({ links: [resistor(1), link] }))

describe('a valid description', () => {
  it.each<[string, LinkSpec]>([
    ['a pipe', pipe()],
    [
      'a pipe without length, roughness and local loss',
      pipe({ length: metre(0), roughness: metre(0), localLoss: 0 }),
    ],
    ['a pipe with other water', pipe({ fluid: { densityKgM3: 970, viscosityPaS: 3.5e-4 } })],
    ['a valve without loss', resistor(0)],
    ['a shut valve', resistor(Number.POSITIVE_INFINITY)],
    ['a pump', pump({})],
    ['a pump at standstill', pump({}, 0)],
    ['a pump that falls by no more than rounding', pump({ h1: 1e-14, h2: -1e-14 })],
    ['a pump with a constant head, or with a falling linear term', pump({ h0: 0, h1: -1, h2: 0 })],
  ])('can have %s', (_, link) => {
    expect(judge(link)).toBeUndefined()
  })

  it('needs a single given pressure and no link', () => {
    expect(findMistake(network({ nodes: [free, given, free] }))).toBeUndefined()
    expect(findMistake(network({ nodes: [free] }))).toEqual({ kind: 'no-pressure' })
    expect(findMistake(network({ nodes: [] }))).toEqual({ kind: 'no-pressure' })
  })
})

it.each<[string, LinkSpec]>([
  ['the same node at both ends', resistor(1, { to: 0 })],
  ['a negative resistance', resistor(-1)],
  ['no resistance', resistor(Number.NaN)],
  ['a negative shut-off head', pump({ h0: -1 })],
  ['an endless shut-off head', pump({ h0: Number.POSITIVE_INFINITY })],
  ['a negative speed', pump({}, -1)],
  ['an endless speed', pump({}, Number.POSITIVE_INFINITY)],
  ['an endless linear term', pump({ h1: Number.NEGATIVE_INFINITY })],
  ['an endless quadratic term', pump({ h2: Number.POSITIVE_INFINITY })],
  ['no diameter', pipe({ innerDiameter: metre(0) })],
  ['a negative diameter', pipe({ innerDiameter: metre(-0.1) })],
  ['a negative length', pipe({ length: metre(-1) })],
  ['an endless length', pipe({ length: metre(Number.POSITIVE_INFINITY) })],
  ['a negative roughness', pipe({ roughness: metre(-1) })],
  ['a roughness as wide as the pipe', pipe({ roughness: metre(0.1) })],
  ['a negative local loss', pipe({ localLoss: -1 })],
  ['a diameter without a finite resistance', pipe({ innerDiameter: metre(1e-80) })],
  [
    'a roughness without a finite share of the diameter',
    pipe({ innerDiameter: metre(1e-10), roughness: metre(1e300) }),
  ],
  ['water without density', pipe({ fluid: { densityKgM3: 0, viscosityPaS: 1e-3 } })],
  ['water without viscosity', pipe({ fluid: { densityKgM3: 1000, viscosityPaS: 0 } })],
  [
    'water of an endless density',
    pipe({ fluid: { densityKgM3: Number.POSITIVE_INFINITY, viscosityPaS: 1e-3 } }),
  ],
])('refuses a link with %s', (_, link) => {
  expect(judge(link)).toEqual({ kind: 'bad-link', link: 1 })
})

it.each([-1, 2, 0.5])('refuses %d as an end of a link between two nodes', (node) => {
  expect(judge(resistor(1, { from: node, to: 0 }))).toEqual({ kind: 'unknown-node', link: 1 })
  expect(judge(resistor(1, { from: 0, to: node }))).toEqual({ kind: 'unknown-node', link: 1 })
})

it('refuses a pump with a head that rises with the flow', () => {
  expect(judge(pump({ h1: 1e-9 }))).toEqual({ kind: 'rising-pump', link: 1 })
  expect(judge(pump({ h2: -1e-9 }))).toEqual({ kind: 'rising-pump', link: 1 })
})

it.each<[string, NodeSpec]>([
  ['height', { ...free, height: metre(Number.NaN) }],
  ['demand', { ...free, demand: kilogramPerSecond(Number.POSITIVE_INFINITY) }],
  ['given pressure', { ...free, pressure: pascalGauge(Number.NaN) }],
])('refuses a node whose %s is not finite', (_, node) => {
  expect(findMistake(network({ nodes: [given, node] }))).toEqual({ kind: 'bad-node', node: 1 })
})

it.each([
  [0, 1e-3],
  [-1, 1e-3],
  [1000, 0],
  [1000, Number.NaN],
  [Number.POSITIVE_INFINITY, 1e-3],
])('refuses water of %d kg/m³ and %d Pa·s', (densityKgM3, viscosityPaS) => {
  expect(findMistake(network({ fluid: { densityKgM3, viscosityPaS } }))).toEqual({ kind: 'bad-fluid' })
})

it('computes the coefficients of 100 m of DN 100 with water of 1000 kg/m³ and 1 mPa·s', () => {
  const water = { densityKgM3: 1000, viscosityPaS: 1e-3 }
  // 8/(ρπ²D⁴) = 8/(1000·9.8696·1e-4) = 8.10569, times L/D = 1000 and ζ = 2; 4/(π·0.1·0.001).
  expect(toCoefficients(pipe(), water)).toEqual({
    frictionScale: expect.closeTo(8105.695, 3),
    reynoldsScale: expect.closeTo(12_732.395, 3),
    relativeRoughness: 0.005,
    local: expect.closeTo(16.2114, 4),
    lightness: 0,
  })
  // Half of the density doubles the loss of a mass flow, and makes the water 500 kg/m³ lighter.
  const light = toCoefficients(pipe({ fluid: { densityKgM3: 500, viscosityPaS: 1e-3 } }), water)
  expect(light.frictionScale).toBeCloseTo(2 * 8105.695, 2)
  expect(light.lightness).toBe(500)
  expect(toCoefficients(resistor(1), water).frictionScale).toBe(0)
})
