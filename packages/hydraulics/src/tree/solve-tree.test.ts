import { kilogramPerSecond, metre, pascal, resistance } from '@isotherm/kernel/quantities'
import { expect, it } from 'vitest'
import { type FrictionLaw, frictionFactor } from '../elements/friction.ts'
import { pumpThrough } from '../elements/pump.ts'
import { WARM_WATER } from '../elements/water.ts'
import { createTreeState, type Source, solveTree } from './solve-tree.ts'
import { type CircuitSpec, createTreeNetwork, type PipeSpec, SOURCE } from './tree-network.ts'

/** A trench without friction that only has its local loss, so that S can be chosen exactly. */
function pipeOfResistance(parent: number, s: number): PipeSpec {
  const perLoss = 8 / (WARM_WATER.densityKgM3 * Math.PI ** 2 * 0.1 ** 4)
  return {
    parent,
    length: metre(0),
    innerDiameter: metre(0.1),
    roughness: metre(0),
    localLoss: s / perLoss,
    runs: 1,
  }
}

function build(pipes: readonly PipeSpec[], circuits: readonly CircuitSpec[]) {
  const outcome = createTreeNetwork(pipes, circuits, WARM_WATER)
  if (outcome.kind !== 'tree') throw new Error(`no tree: ${outcome.kind}`)
  return outcome.network
}

const head = (pa: number): Source => ({ kind: 'head', head: pascal(pa) })

/** Mains S 100 to two circuits of S 400 each: together g = 0.1, S 100, so 200 in total. */
function twoEqualCircuits() {
  return build(
    [pipeOfResistance(SOURCE, 100)],
    [
      { node: 0, resistance: resistance(400) },
      { node: 0, resistance: resistance(400) },
    ],
  )
}

it('splits 20 kPa over S 100 and two circuits of S 400 into 10 kg/s, 5 each', () => {
  const network = twoEqualCircuits()
  const state = createTreeState(network)
  expect(solveTree(network, state, head(20_000))).toBe('solved')
  expect(state.totalFlow).toBeCloseTo(10, 9)
  expect([...state.circuitFlow]).toEqual([expect.closeTo(5, 9), expect.closeTo(5, 9)])
  expect(state.nodeHead[0]).toBeCloseTo(10_000, 6)
})

it('gives the other circuit more when one valve shuts: √(20000/500) = 6.3246 kg/s', () => {
  const network = twoEqualCircuits()
  const state = createTreeState(network)
  network.valveResistance[0] = Number.POSITIVE_INFINITY
  expect(solveTree(network, state, head(20_000))).toBe('solved')
  expect(state.circuitFlow[0]).toBe(0)
  expect(state.circuitFlow[1]).toBeCloseTo(6.324555, 6)
})

it('returns dry with zero flows if every valve is shut or the source has no head', () => {
  const network = twoEqualCircuits()
  const state = createTreeState(network)
  solveTree(network, state, head(20_000))
  expect(solveTree(network, state, head(0))).toBe('dry')
  network.valveResistance.fill(Number.POSITIVE_INFINITY)
  expect(solveTree(network, state, head(20_000))).toBe('dry')
  expect([state.totalFlow, ...state.circuitFlow, ...state.pipeFlow]).toEqual([0, 0, 0, 0])
})

it('refuses a resistance that is not a number by its circuit, and does not run dry', () => {
  const network = twoEqualCircuits()
  const state = createTreeState(network)
  for (const written of [network.valveResistance, network.circuitResistance]) {
    written[1] = Number.NaN
    expect(() => solveTree(network, state, head(20_000))).toThrow('circuit 1: its resistance is not a number')
    written[1] = 400
  }
  expect(solveTree(network, state, head(20_000))).toBe('solved')
})

it('has no flow in a branch with every valve shut, while its neighbour flows', () => {
  const network = build(
    [pipeOfResistance(SOURCE, 100), pipeOfResistance(SOURCE, 100), pipeOfResistance(1, 50)],
    [
      { node: 0, resistance: resistance(100) },
      { node: 2, resistance: resistance(100) },
    ],
  )
  network.valveResistance[1] = Number.POSITIVE_INFINITY
  const state = createTreeState(network)
  expect(solveTree(network, state, head(20_000))).toBe('solved')
  expect([...state.pipeFlow]).toEqual([expect.closeTo(10, 9), 0, 0])
  expect(state.nodeHead[2]).toBe(0)
})

it('finds the operating point of a pump: S 200 on h0 30 kPa, h2 100 gives 10 kg/s, and half of it at half speed', () => {
  const network = twoEqualCircuits()
  const state = createTreeState(network)
  const pump = { ...pumpThrough(pascal(30_000), pascal(20_000), kilogramPerSecond(10)) }
  solveTree(network, state, { kind: 'pump', pump, speed: 1 })
  expect(state.totalFlow).toBeCloseTo(10, 9)
  solveTree(network, state, { kind: 'pump', pump, speed: 0.5 })
  expect(state.totalFlow).toBeCloseTo(5, 9)
})

it('agrees with Darcy-Weisbach on one pipe: the friction matches the computed flow', () => {
  const network = build(
    [
      {
        parent: SOURCE,
        length: metre(100),
        innerDiameter: metre(0.1),
        roughness: metre(0.0005),
        localLoss: 0,
        runs: 2,
      },
    ],
    [{ node: 0, resistance: resistance(0.001) }],
  )
  const state = createTreeState(network)
  expect(solveTree(network, state, head(20_000))).toBe('solved')
  // 100 Pa/m, D 100 mm, k 0.5 mm: by hand Re 144 600, λ 0.031231, v = 0.80508 m/s, ṁ = ρ·v·A = 6.2472 kg/s.
  expect(state.totalFlow).toBeCloseTo(6.2472, 3)
})

it('has the whole head at the source, and none anywhere once it is dry', () => {
  const network = twoEqualCircuits()
  const state = createTreeState(network)
  solveTree(network, state, head(20_000))
  expect([...state.nodeHead]).toEqual([expect.closeTo(10_000, 6), expect.closeTo(20_000, 6)])
  expect([...state.pipeFlow]).toEqual([expect.closeTo(10, 9)])
  expect([...state.pipeResistance]).toEqual([expect.closeTo(100, 9)])
  solveTree(network, state, head(0))
  expect([...state.nodeHead, ...state.pipeFlow, ...state.circuitFlow, state.totalFlow]).toEqual([
    0, 0, 0, 0, 0, 0,
  ])
})

it('is dry with a head below zero and with a pump at standstill', () => {
  const network = twoEqualCircuits()
  const pump = pumpThrough(pascal(30_000), pascal(20_000), kilogramPerSecond(10))
  expect(solveTree(network, createTreeState(network), head(-20_000))).toBe('dry')
  expect(solveTree(network, createTreeState(network), { kind: 'pump', pump, speed: 0 })).toBe('dry')
})

it('adds the resistance of the valve to the circuit’s: S 100 + 300 + 400 at 20 kPa passes 5 kg/s', () => {
  const network = build([pipeOfResistance(SOURCE, 100)], [{ node: 0, resistance: resistance(300) }])
  network.valveResistance[0] = 400
  const state = createTreeState(network)
  expect(solveTree(network, state, head(20_000))).toBe('solved')
  expect(state.totalFlow).toBeCloseTo(5, 9)
  expect(state.circuitFlow[0]).toBeCloseTo(5, 9)
})

it('takes a circuit without resistance, behind a pipe of S 200: 20 kPa drive 10 kg/s', () => {
  const network = build([pipeOfResistance(SOURCE, 200)], [{ node: 0, resistance: resistance(0) }])
  const state = createTreeState(network)
  expect(solveTree(network, state, head(20_000))).toBe('solved')
  expect(state.totalFlow).toBeCloseTo(10, 6)
})

it('has circuits at the source itself, which no pipe feeds: √(20000/200) = 10 kg/s', () => {
  const network = build([], [{ node: SOURCE, resistance: resistance(200) }])
  const state = createTreeState(network)
  expect(solveTree(network, state, head(20_000))).toBe('solved')
  expect([state.totalFlow, ...state.circuitFlow]).toEqual([expect.closeTo(10, 9), expect.closeTo(10, 9)])
})

/** A street of twelve buildings, DN 150 to DN 40. */
function createStreet(law: FrictionLaw = 'swamee-jain') {
  const pipes = Array.from({ length: 12 }, (_, index) => ({
    parent: index - 1,
    length: metre(40),
    innerDiameter: metre(0.15 - 0.01 * index),
    roughness: metre(5e-4),
    localLoss: 2,
    runs: 2,
  }))
  const circuits = pipes.map((_, node) => ({ node, resistance: resistance(30_000) }))
  const outcome = createTreeNetwork(pipes, circuits, WARM_WATER, law)
  if (outcome.kind !== 'tree') throw new Error(outcome.kind)
  return outcome.network
}

it.each<[FrictionLaw, readonly number[]]>([
  ['swamee-jain', [2, 3, 6, 8, 14, 16]],
  ['colebrook', [2, 3, 6, 8, 14, 16]],
  ['nikuradse', [2, 3, 5, 8, 16, 16]],
])('needs a few iterations in turbulent flow, and more the slower the water: %s', (law, due) => {
  const network = createStreet(law)
  const needed = [6e6, 60_000, 3000, 300, 30, 3].map((pa) => {
    const state = createTreeState(network)
    expect(solveTree(network, state, head(pa))).toBe('solved')
    return state.refreshes
  })
  needed.forEach((refreshes, index) => {
    expect(refreshes, `${index}`).toBeLessThanOrEqual(due[index] ?? 0)
  })
})

it('starts from the flows of the last solve: the same head again needs a single iteration', () => {
  const network = createStreet()
  const state = createTreeState(network)
  solveTree(network, state, head(60_000), { tolerance: 1e-9, maxRefreshes: 60 })
  expect(state.refreshes).toBeGreaterThan(1)
  expect(solveTree(network, state, head(60_000))).toBe('solved')
  expect(state.refreshes).toBe(1)
})

it('stops after the given number of iterations, with flows that balance', () => {
  const network = createStreet()
  for (const maxRefreshes of [1, 2]) {
    const state = createTreeState(network)
    expect(solveTree(network, state, head(60_000), { tolerance: 1e-14, maxRefreshes })).toBe('not-converged')
    expect(state.refreshes).toBe(maxRefreshes)
    expect(state.circuitFlow.reduce((sum, flow) => sum + flow, 0)).toBeCloseTo(state.totalFlow, 9)
    expect(state.pipeFlow[0]).toBeCloseTo(state.totalFlow, 9)
  }
})

it('reports the error of an invalid network', () => {
  const sound = pipeOfResistance(SOURCE, 1)
  expect(createTreeNetwork([{ ...sound, parent: 4 }], [], WARM_WATER)).toEqual({
    kind: 'unknown-parent',
    pipe: 0,
  })
  expect(createTreeNetwork([sound, pipeOfResistance(2, 1), pipeOfResistance(1, 1)], [], WARM_WATER)).toEqual({
    kind: 'cycle',
    pipe: 1,
  })
  expect(createTreeNetwork([sound], [{ node: 3, resistance: resistance(1) }], WARM_WATER)).toEqual({
    kind: 'unknown-node',
    circuit: 0,
  })
  expect(createTreeNetwork([{ ...sound, innerDiameter: metre(0) }], [], WARM_WATER)).toEqual({
    kind: 'bad-pipe',
    pipe: 0,
  })
})

it.each<FrictionLaw>(['swamee-jain', 'colebrook', 'nikuradse'])(
  'gives each pipe the resistance of its friction law at its flow: %s',
  (law) => {
    const pipe = (parent: number, diameter: number): PipeSpec => ({
      parent,
      length: metre(200),
      innerDiameter: metre(diameter),
      roughness: metre(0.0005),
      localLoss: 3,
      runs: 2,
    })
    // Turbulent, transitional, laminar: 5 kg/s in total, then 0.09 and 0.03 kg/s through pipes of 65 mm.
    const outcome = createTreeNetwork(
      [pipe(SOURCE, 0.1), pipe(0, 0.065), pipe(0, 0.065)],
      [
        { node: 0, resistance: resistance(2000) },
        { node: 1, resistance: resistance(6e6) },
        { node: 2, resistance: resistance(5e7) },
      ],
      WARM_WATER,
      law,
    )
    if (outcome.kind !== 'tree') throw new Error(outcome.kind)
    const { network } = outcome
    const state = createTreeState(network)
    expect(solveTree(network, state, head(50_000))).toBe('solved')
    const reynolds = state.pipeFlow.map((flow, index) => flow * (network.reynoldsScale[index] ?? 0))
    expect([...reynolds].map((value) => (value > 4000 ? 2 : value > 2000 ? 1 : 0))).toEqual([2, 1, 0])
    reynolds.forEach((value, index) => {
      const factor = frictionFactor(value, network.relativeRoughness[index] ?? 0, law)
      const due = (network.frictionScale[index] ?? 0) * factor + (network.localScale[index] ?? 0)
      expect(Math.abs((state.pipeResistance[index] ?? 0) / due - 1)).toBeLessThan(1e-6)
    })
  },
)

it('refuses invalid pipes, circuits and water', () => {
  const sound = pipeOfResistance(SOURCE, 100)
  const circuit: CircuitSpec = { node: 0, resistance: resistance(1) }
  const kindOf = (...of: Parameters<typeof createTreeNetwork>): string => createTreeNetwork(...of).kind
  expect(kindOf([{ ...sound, innerDiameter: metre(0) }], [], WARM_WATER)).toBe('bad-pipe')
  // A resistance of 1e305 Pa/(kg/s)² or more overflows in the solver.
  expect(kindOf([{ ...sound, innerDiameter: metre(1e-80) }], [], WARM_WATER)).toBe('bad-pipe')
  expect(kindOf([{ ...sound, length: metre(Number.POSITIVE_INFINITY) }], [], WARM_WATER)).toBe('bad-pipe')
  expect(kindOf([sound], [{ ...circuit, resistance: resistance(-1) }], WARM_WATER)).toBe('bad-circuit')
  expect(kindOf([sound], [{ ...circuit, resistance: resistance(Number.NaN) }], WARM_WATER)).toBe(
    'bad-circuit',
  )
  expect(kindOf([sound], [circuit], { densityKgM3: 0, viscosityPaS: 1e-3 })).toBe('bad-fluid')
})
