import { celsius, kilogramPerSecond, metre, pascalGauge, resistance } from '@isotherm/kernel/quantities'
import { expect, it } from 'vitest'
import { WARM_WATER, waterAt } from '../elements/water.ts'
import { createNetwork, type Network } from './network.ts'
import type { LinkSpec, NetworkSpec, NodeSpec } from './network-spec.ts'
import { createNetworkState, solveNetwork } from './solve-network.ts'

const given = (bar: number, heightM = 0): NodeSpec => ({
  height: metre(heightM),
  pressure: pascalGauge(bar * 1e5),
  demand: kilogramPerSecond(0),
})
const taking = (kgS: number, heightM = 0): NodeSpec => ({
  height: metre(heightM),
  demand: kilogramPerSecond(kgS),
})
const resistor = (from: number, to: number, s: number): LinkSpec => ({
  kind: 'resistor',
  from,
  to,
  resistance: resistance(s),
})
/** A pump with the constant head `bar`. */
const pump = (from: number, to: number, bar: number, h2 = 0): LinkSpec => ({
  kind: 'pump',
  from,
  to,
  curve: { h0: bar * 1e5, h1: 0, h2 },
  speed: 1,
})
const spec = (nodes: readonly NodeSpec[], links: readonly LinkSpec[]): NetworkSpec => ({
  nodes,
  links,
  fluid: WARM_WATER,
  friction: 'swamee-jain',
})

function build(nodes: readonly NodeSpec[], links: readonly LinkSpec[]): Network {
  const outcome = createNetwork(spec(nodes, links))
  if (outcome.kind !== 'network') throw new Error(`no network: ${outcome.kind}`)
  return outcome.network
}

function solve(network: Network) {
  const state = createNetworkState(network)
  return { outcome: solveNetwork(network, state), state }
}

it('splits 3 kg/s over S 100 and S 400 side by side into 2 and 1 kg/s, which lose 400 Pa', () => {
  const { outcome, state } = solve(build([given(1), taking(3)], [resistor(0, 1, 100), resistor(0, 1, 400)]))
  expect(outcome).toBe('solved')
  expect([...state.linkFlow]).toEqual([expect.closeTo(2, 9), expect.closeTo(1, 9)])
  expect(state.nodePressure[1]).toBeCloseTo(1e5 - 400, 5)
})

it('has no flow across a balanced bridge, and 2 kg/s through each arm to its far corner', () => {
  const corners = [given(1), taking(0), taking(0), taking(4)]
  const arms = [resistor(0, 1, 10), resistor(0, 2, 10), resistor(1, 3, 40), resistor(2, 3, 40)]
  const { outcome, state } = solve(build(corners, [...arms, resistor(1, 2, 7)]))
  expect(outcome).toBe('solved')
  expect(state.linkFlow[0]).toBeCloseTo(2, 6)
  expect(state.linkFlow[4]).toBeCloseTo(0, 6)
  expect(state.nodePressure[3]).toBeCloseTo(1e5 - 200, 3)
})

it('finds the operating point h0 − h2·ṁ² = S·ṁ²: √(40000/(100 + 300)) = 10 kg/s, 30 kPa', () => {
  const network = build([given(1), taking(0)], [pump(0, 1, 0.4, 100), resistor(1, 0, 300)])
  const { outcome, state } = solve(network)
  expect(outcome).toBe('solved')
  expect(state.linkFlow[0]).toBeCloseTo(10, 8)
  expect(state.nodePressure[1]).toBeCloseTo(1.3e5, 4)
  // Half the speed gives half the flow and a quarter of the head.
  network.speed[0] = 0.5
  expect(solveNetwork(network, state)).toBe('solved')
  expect(state.linkFlow[0]).toBeCloseTo(5, 8)
  expect(state.nodePressure[1]).toBeCloseTo(1.075e5, 4)
})

it('prevents backflow through a too weak pump, and allows its flow again when it is strong enough', () => {
  const network = build([given(1), taking(0), given(2)], [pump(0, 1, 0.5), resistor(1, 2, 100)])
  const { outcome, state } = solve(network)
  expect(outcome).toBe('solved')
  expect([...state.linkFlow]).toEqual([0, expect.closeTo(0, 9)])
  expect(state.isCheckShut[0]).toBe(1)
  expect(state.nodePressure[1]).toBeCloseTo(2e5, 5)
  network.givenPressure[2] = 1.1e5
  expect(solveNetwork(network, state)).toBe('solved')
  expect(state.linkFlow[0]).toBeCloseTo(Math.sqrt(0.4e5 / 100), 8)
})

it('runs two unequal pumps side by side: the weak one is shut by its valve', () => {
  const links = [pump(0, 1, 0.2, 10), pump(0, 1, 0.8, 10), resistor(1, 0, 90)]
  const { outcome, state } = solve(build([given(1), taking(0)], links))
  expect(outcome).toBe('solved')
  expect(state.isCheckShut[0]).toBe(1)
  expect(state.linkFlow[1]).toBeCloseTo(Math.sqrt(0.8e5 / 100), 8)
})

it('solves a valve without any loss', () => {
  const { outcome, state } = solve(
    build([given(1), taking(0), taking(5)], [resistor(0, 1, 0), resistor(1, 2, 100)]),
  )
  expect(outcome).toBe('solved')
  expect(state.nodePressure[1]).toBeCloseTo(1e5, 6)
  expect(state.nodePressure[2]).toBeCloseTo(1e5 - 2500, 5)
})

it('loses ρ·g·10 m = 96 890 Pa up to a node without flow', () => {
  const { state } = solve(build([given(3), taking(0, 10)], [resistor(0, 1, 100)]))
  expect(state.nodePressure[1]).toBeCloseTo(3e5 - 988 * 9.80665 * 10, 4)
})

it('circulates by buoyancy alone: 12 m of 60 °C against 40 °C give √(Δρ·g·12/(2·S)) kg/s', () => {
  const riser = (from: number, to: number, temperatureC: number): LinkSpec => ({
    kind: 'pipe',
    from,
    to,
    length: metre(0),
    innerDiameter: metre(0.05),
    roughness: metre(0),
    localLoss: 5,
    fluid: waterAt(celsius(temperatureC)),
  })
  const { outcome, state } = solve(build([given(1), taking(0, 12)], [riser(0, 1, 60), riser(1, 0, 40)]))
  const [hot, cold] = [waterAt(celsius(60)).densityKgM3, waterAt(celsius(40)).densityKgM3]
  const loss = (8 * 5) / (Math.PI ** 2 * 0.05 ** 4)
  expect(outcome).toBe('solved')
  expect(state.linkFlow[0]).toBeCloseTo(
    Math.sqrt(((cold - hot) * 9.80665 * 12) / (loss / hot + loss / cold)),
    8,
  )
})

it('returns cut-off if a shut valve leaves a demand unfed, and solves the rest', () => {
  const network = build(
    [given(1), taking(2), taking(3)],
    [resistor(0, 1, 100), resistor(1, 2, Number.POSITIVE_INFINITY)],
  )
  const { outcome, state } = solve(network)
  expect(outcome).toBe('cut-off')
  expect([...state.linkFlow]).toEqual([expect.closeTo(2, 9), 0])
  expect([...state.isFed]).toEqual([1, 1, 0])
  expect(state.nodePressure[2]).toBe(0)
  // Without its demand the branch has no flow, and the result is solved.
  network.demand[2] = 0
  expect(solveNetwork(network, state)).toBe('solved')
})

it('returns dry if all links are shut', () => {
  const network = build([given(1), taking(0)], [resistor(0, 1, 100)])
  const state = createNetworkState(network)
  expect(solveNetwork(network, state)).toBe('solved')
  network.isShut[0] = 1
  expect(solveNetwork(network, state)).toBe('dry')
  expect([...state.linkFlow]).toEqual([0])
})

it.each<[string, NetworkSpec]>([
  ['no-pressure', spec([taking(0), taking(1)], [resistor(0, 1, 1)])],
  ['bad-node', spec([given(1), taking(Number.NaN)], [resistor(0, 1, 1)])],
  ['unknown-node', spec([given(1)], [resistor(0, 1, 1)])],
  ['bad-link', spec([given(1), taking(1)], [resistor(0, 1, -1)])],
  ['bad-link', spec([given(1), taking(1)], [resistor(0, 0, 1)])],
  [
    'rising-pump',
    spec([given(1), taking(1)], [{ kind: 'pump', from: 0, to: 1, curve: { h0: 1, h1: 1, h2: 0 }, speed: 1 }]),
  ],
  ['bad-fluid', { ...spec([given(1)], []), fluid: { densityKgM3: 0, viscosityPaS: 1e-3 } }],
])('refuses nonsense: %s', (kind, nonsense) => {
  expect(createNetwork(nonsense).kind).toBe(kind)
})
