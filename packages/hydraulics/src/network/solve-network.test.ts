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

it('feeds a demand between two pumps in series against too high a pressure through the first alone', () => {
  const nodes = [given(1), taking(1), given(5)]
  const { outcome, state } = solve(build(nodes, [pump(0, 1, 0.5, 100), pump(1, 2, 0.5, 100)]))
  expect(outcome).toBe('solved')
  expect([...state.linkFlow]).toEqual([expect.closeTo(1, 9), 0])
  expect(state.nodePressure[1]).toBeCloseTo(1.5e5 - 100, 5)
})

it('feeds the last demand of a series of pumps, and lets an inflow between them out through the second', () => {
  const links = [pump(0, 1, 0.5, 100), pump(1, 2, 0.5, 100), pump(2, 3, 0.5, 100)]
  const series = solve(build([given(1), taking(0), taking(1), given(5)], links))
  expect(series.outcome).toBe('solved')
  expect([...series.state.linkFlow]).toEqual([expect.closeTo(1, 9), expect.closeTo(1, 9), 0])
  const inflow = solve(build([given(1), taking(-1), given(5)], links.slice(0, 2)))
  expect(inflow.outcome).toBe('solved')
  expect([...inflow.state.linkFlow]).toEqual([0, expect.closeTo(1, 9)])
})

it('stays cut off from a demand that only a pump in the other direction could reach', () => {
  const { outcome, state } = solve(build([given(1), taking(1)], [pump(1, 0, 0.5, 100)]))
  expect(outcome).toBe('cut-off')
  expect([...state.linkFlow]).toEqual([0])
})

it.each([
  ['demand', 'node 1', 1],
  ['givenPressure', 'node 0', 0],
  ['resistance', 'link 1', 1],
  ['speed', 'link 0', 0],
] as const)('refuses NaN as %s and names %s, and solves again without it', (name, place, index) => {
  const network = build([given(1), taking(0)], [pump(0, 1, 0.4, 100), resistor(1, 0, 300)])
  const state = createNetworkState(network)
  const before = network[name][index] ?? 0
  network[name][index] = Number.NaN
  expect(() => solveNetwork(network, state)).toThrow(`of ${place} is not a number`)
  network[name][index] = before
  expect(solveNetwork(network, state)).toBe('solved')
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

it('returns cut-off if all links are shut and a demand is left, with zero pressure there', () => {
  const network = build([given(1), taking(2)], [resistor(0, 1, 100)])
  network.isShut[0] = 1
  const { outcome, state } = solve(network)
  expect(outcome).toBe('cut-off')
  expect([...state.nodePressure]).toEqual([expect.closeTo(1e5, 9), 0])
})

it('takes water in at a node with negative demand and returns it to the given pressure', () => {
  const { outcome, state } = solve(build([given(1), taking(-2)], [resistor(0, 1, 100)]))
  expect(outcome).toBe('solved')
  expect(state.linkFlow[0]).toBeCloseTo(-2, 9)
  expect(state.nodePressure[1]).toBeCloseTo(1e5 + 400, 5)
})

it('drives water between two given pressures: √(0.9 bar/S 1000) = 9.4868 kg/s', () => {
  const { outcome, state } = solve(build([given(1), given(0.1)], [resistor(0, 1, 1000)]))
  expect(outcome).toBe('solved')
  expect(state.linkFlow[0]).toBeCloseTo(Math.sqrt(90), 9)
  expect([...state.nodePressure]).toEqual([expect.closeTo(1e5, 9), expect.closeTo(1e4, 9)])
})

it('includes heights between two given pressures: 1 bar at 0 m and 0 bar at 5 m leave 51 557 Pa', () => {
  const { state } = solve(build([given(1), given(0, 5)], [resistor(0, 1, 100)]))
  expect(state.linkFlow[0]).toBeCloseTo(Math.sqrt((1e5 - 988 * 9.80665 * 5) / 100), 9)
})

it('solves a network without any flow', () => {
  const { outcome, state } = solve(
    build([given(1), taking(0), taking(0)], [resistor(0, 1, 10), resistor(1, 2, 1e4)]),
  )
  expect(outcome).toBe('solved')
  for (const flow of state.linkFlow) expect(flow).toBeCloseTo(0, 6)
  for (const pressure of state.nodePressure) expect(pressure).toBeCloseTo(1e5, 3)
})

it('opens a check valve again only where its pump overcomes the pressure difference', () => {
  // 0.3 bar against 0.2 bar flow forwards, against 0.4 bar not at all.
  for (const [against, flow] of [
    [1.2, 10],
    [1.4, 0],
  ] as const) {
    const { outcome, state } = solve(build([given(1), given(against)], [pump(0, 1, 0.3, 100)]))
    expect(outcome).toBe(flow > 0 ? 'solved' : 'dry')
    expect(state.linkFlow[0]).toBeCloseTo(flow, 8)
    expect(state.isCheckShut[0]).toBe(flow > 0 ? 0 : 1)
  }
})

it('opens a check valve again once another one has taken its backflow away', () => {
  // 4 bar push back through both pumps at first. Without the first pump the second one circulates: √(80 000/(100 + 10)) kg/s.
  const links = [pump(0, 1, 1, 10), pump(1, 2, 0.8, 10), resistor(1, 2, 100)]
  const { outcome, state } = solve(build([given(1), taking(0), given(4)], links))
  expect(outcome).toBe('solved')
  expect([...state.isCheckShut]).toEqual([1, 0, 0])
  expect(state.linkFlow[1]).toBeCloseTo(Math.sqrt(80_000 / 110), 6)
  expect(state.linkFlow[2]).toBeCloseTo(-Math.sqrt(80_000 / 110), 6)
})

it('solves a loop of valves whose losses are below the rounding of its pressure of 100 bar', () => {
  const s = 1e-9
  const loop = [resistor(1, 2, s), resistor(2, 3, s), resistor(3, 1, s), resistor(1, 3, 1000 * s)]
  const { outcome, state } = solve(
    build([given(0), given(100), taking(0), taking(0)], [resistor(0, 1, 1e6), ...loop]),
  )
  expect(outcome).toBe('solved')
  expect(state.iterations).toBeLessThanOrEqual(7)
  // √(1e7/1e6) kg/s from 100 bar to 0; what flows around the loop is rounding, but balances.
  expect(state.linkFlow[0]).toBeCloseTo(-Math.sqrt(10), 9)
  expect(state.linkFlow[2]).toBeCloseTo(state.linkFlow[1] ?? Number.NaN, 9)
  for (const node of [1, 2, 3]) expect(state.nodePressure[node]).toBeCloseTo(1e7, 3)
})

it('leaves the check valve of a pump at standstill open and its flow zero', () => {
  const network = build([given(1), given(2)], [pump(0, 1, 0.3, 100), resistor(0, 1, 1000)])
  network.speed[0] = 0
  const { outcome, state } = solve(network)
  expect(outcome).toBe('solved')
  expect([...state.linkFlow]).toEqual([0, expect.closeTo(-10, 9)])
  expect(state.isCheckShut[0]).toBe(0)
})

it('stops after the given number of steps', () => {
  const network = createGrid(1, 'pipes')
  const state = createNetworkState(network)
  for (const maxIterations of [1, 3]) {
    state.linkFlow.fill(0)
    expect(solveNetwork(network, state, { tolerance: 1e-9, maxIterations })).toBe('not-converged')
    expect(state.iterations).toBe(maxIterations)
  }
})

it('returns no numbers that overflow, and solves again afterwards', () => {
  const network = build([given(1), taking(1e200)], [resistor(0, 1, 100)])
  const { outcome, state } = solve(network)
  expect(outcome).toBe('not-converged')
  expect([...state.linkFlow, ...state.nodePressure]).toSatisfy((values: number[]) =>
    values.every(Number.isFinite),
  )
  expect([...state.linkFlow]).toEqual([0])
  network.demand[1] = 2
  expect(solveNetwork(network, state)).toBe('solved')
  expect(state.linkFlow[0]).toBeCloseTo(2, 9)
})

/** Numbers between two bounds, the same for the same seed: a linear congruential generator. */
function createNumbers(seed: number): (min: number, max: number) => number {
  let now = seed
  return (min, max) => {
    now = (now * 1_664_525 + 1_013_904_223) % 2 ** 32
    return min + ((max - min) * now) / 2 ** 32
  }
}

/** A grid of 5 by 5 nodes, fed at a corner: pipes and valves; with pumps between them; or with hardly any flow. */
function createGrid(seed: number, variant: 'pipes' | 'pumps' | 'creeping'): Network {
  const next = createNumbers(7919 * seed)
  const most = variant === 'creeping' ? 0.01 : 2
  const nodes = Array.from(
    { length: 25 },
    (_, node): NodeSpec => (node === 0 ? given(4) : taking(next(-most / 2, most), next(0, 30))),
  )
  const draw = (from: number, to: number): LinkSpec => {
    const choice = next(0, 1)
    if (choice < 0.12 && variant === 'pumps') return pump(from, to, next(0.1, 3), next(1, 1e4))
    if (choice < 0.3) return resistor(from, to, 10 ** next(-1, 6))
    return {
      kind: 'pipe',
      from,
      to,
      length: metre(next(1, 400)),
      innerDiameter: metre(next(0.03, 0.3)),
      roughness: metre(next(0, 1e-3)),
      localLoss: next(0, 20),
    }
  }
  const links = nodes.flatMap((_, node) => [
    ...(node % 5 < 4 ? [draw(node, node + 1)] : []),
    ...(node < 20 ? [draw(node, node + 5)] : []),
  ])
  const friction = (['swamee-jain', 'colebrook', 'nikuradse'] as const)[seed % 3] ?? 'swamee-jain'
  const outcome = createNetwork({ ...spec(nodes, links), friction })
  if (outcome.kind !== 'network') throw new Error(outcome.kind)
  return outcome.network
}

it.each([
  ['pipes', 215],
  ['pumps', 194],
  ['creeping', 383],
] as const)('solves twenty grids of %s in at most %d Newton steps altogether', (variant, due) => {
  let steps = 0
  for (let seed = 1; seed <= 20; seed++) {
    const { outcome, state } = solve(createGrid(seed, variant))
    expect(outcome).toBe('solved')
    steps += state.iterations
  }
  expect(steps).toBeLessThanOrEqual(due)
})

it('needs a single step from the flows of the last solve', () => {
  for (const seed of [1, 2, 3]) {
    const network = createGrid(seed, 'pipes')
    const { state } = solve(network)
    expect(state.iterations).toBeGreaterThan(4)
    expect(solveNetwork(network, state)).toBe('solved')
    expect(state.iterations).toBeLessThanOrEqual(2)
  }
})

it('meets the tolerance it is given: a coarse one takes fewer steps and is as much off at most', () => {
  const network = createGrid(4, 'pipes')
  const exact = createNetworkState(network)
  expect(solveNetwork(network, exact, { tolerance: 1e-12, maxIterations: 100 })).toBe('solved')
  const coarse = createNetworkState(network)
  expect(solveNetwork(network, coarse, { tolerance: 1e-2, maxIterations: 100 })).toBe('solved')
  expect(coarse.iterations).toBeLessThan(exact.iterations)
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + Math.abs(value), 0)
  const off = sum(coarse.linkFlow.map((flow, link) => flow - (exact.linkFlow[link] ?? 0)))
  expect(off / sum(exact.linkFlow)).toBeLessThan(1e-2)
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
