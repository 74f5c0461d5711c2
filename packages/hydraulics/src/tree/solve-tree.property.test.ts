import { metre, pascal, resistance } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyNumber } from '../elements/even-numbers.testkit.ts'
import { WARM_WATER } from '../elements/water.ts'
import { createTreeState, solveTree, type TreeState } from './solve-tree.ts'
import {
  type CircuitSpec,
  createTreeNetwork,
  type PipeSpec,
  SOURCE,
  type TreeNetwork,
} from './tree-network.ts'

interface Draw {
  readonly pipes: readonly PipeSpec[]
  readonly circuits: readonly CircuitSpec[]
  readonly valves: readonly number[]
}

/** Shrinks a failure for some seconds only; the seed reproduces it in any case. Stricter settings of a run stay. */
fc.configureGlobal({ interruptAfterTimeLimit: 10_000, ...fc.readConfigureGlobal() })

const anyPipe = (index: number): fc.Arbitrary<PipeSpec> =>
  fc
    .tuple(
      fc.integer({ min: SOURCE, max: index - 1 }),
      anyNumber(1, 400),
      anyNumber(0.02, 0.3),
      anyNumber(1e-5, 1e-3),
      anyNumber(0, 20),
    )
    .map(([parent, length, diameter, roughness, localLoss]) => ({
      parent,
      length: metre(length),
      innerDiameter: metre(diameter),
      roughness: metre(roughness),
      localLoss,
      runs: 2,
    }))

const anyNetwork: fc.Arbitrary<Draw> = fc.integer({ min: 1, max: 25 }).chain((count) =>
  fc.record({
    pipes: fc.tuple(...Array.from({ length: count }, (_, index) => anyPipe(index))),
    circuits: fc.array(
      fc
        .tuple(fc.integer({ min: 0, max: count - 1 }), anyNumber(50, 1e6))
        .map(([node, s]) => ({ node, resistance: resistance(s) })),
      { minLength: 2, maxLength: 40 },
    ),
    valves: fc.array(fc.oneof(anyNumber(0, 1e6), fc.constant(Number.POSITIVE_INFINITY)), {
      minLength: 40,
      maxLength: 40,
    }),
  }),
)

function build(draw: Draw): TreeNetwork {
  const outcome = createTreeNetwork(draw.pipes, draw.circuits, WARM_WATER)
  if (outcome.kind !== 'tree') throw new Error(`no tree: ${outcome.kind}`)
  outcome.network.valveResistance.set(draw.valves.slice(0, draw.circuits.length))
  return outcome.network
}

function solve(network: TreeNetwork, headPa = 60_000): TreeState {
  const state = createTreeState(network)
  const outcome = solveTree(
    network,
    state,
    { kind: 'head', head: pascal(headPa) },
    { tolerance: 1e-11, maxRefreshes: 400 },
  )
  expect(outcome).not.toBe('not-converged')
  return state
}

const at = (values: ArrayLike<number>, index: number): number => values[index] ?? Number.NaN

it('balances mass at every node to 1e-9 and never yields NaN or a negative flow', () => {
  fc.assert(
    fc.property(anyNetwork, (draw) => {
      const network = build(draw)
      const state = solve(network)
      const balance = new Float64Array(network.pipeCount + 1)
      network.parent.forEach((parent, pipe) => {
        balance[pipe] = at(balance, pipe) + at(state.pipeFlow, pipe)
        balance[parent] = at(balance, parent) - at(state.pipeFlow, pipe)
      })
      network.circuitNode.forEach((node, circuit) => {
        balance[node] = at(balance, node) - at(state.circuitFlow, circuit)
      })
      balance[network.pipeCount] = at(balance, network.pipeCount) + state.totalFlow
      for (const rest of balance)
        expect(Math.abs(rest)).toBeLessThanOrEqual(1e-9 * Math.max(1, state.totalFlow))
      for (const flow of [...state.pipeFlow, ...state.circuitFlow]) expect(flow).toBeGreaterThanOrEqual(0)
    }),
  )
})

it('has a total loss equal to the head along every path with flow', () => {
  fc.assert(
    fc.property(anyNetwork, (draw) => {
      const network = build(draw)
      const state = solve(network)
      network.circuitNode.forEach((start, circuit) => {
        const flow = at(state.circuitFlow, circuit)
        if (flow === 0) return
        let used = (at(network.circuitResistance, circuit) + at(network.valveResistance, circuit)) * flow ** 2
        for (let node = start; node !== network.pipeCount; node = at(network.parent, node)) {
          used += at(state.pipeResistance, node) * at(state.pipeFlow, node) ** 2
        }
        expect(used).toBeCloseTo(60_000, 3)
      })
    }),
  )
})

it('increases the total flow when any valve opens, and never the flow of another valve (monotonicity)', () => {
  fc.assert(
    fc.property(anyNetwork, fc.nat(39), anyNumber(0.05, 0.95), (draw, pick, factor) => {
      const network = build(draw)
      const opened = pick % network.circuitCount
      const before = solve(network)
      network.valveResistance[opened] = Math.min(1e7, at(network.valveResistance, opened)) * factor
      const after = solve(network)
      const slack = 1e-7
      expect(after.totalFlow).toBeGreaterThanOrEqual(before.totalFlow * (1 - slack))
      expect(at(after.circuitFlow, opened)).toBeGreaterThanOrEqual(
        at(before.circuitFlow, opened) * (1 - slack),
      )
      after.circuitFlow.forEach((flow, circuit) => {
        if (circuit !== opened)
          expect(flow).toBeLessThanOrEqual(at(before.circuitFlow, circuit) * (1 + slack) + 1e-12)
      })
    }),
  )
})

it('doubles every flow at four times the head while the law is quadratic', () => {
  fc.assert(
    fc.property(anyNetwork, (draw) => {
      const frictionless = { ...draw, pipes: draw.pipes.map((pipe) => ({ ...pipe, length: metre(0) })) }
      const network = build(frictionless)
      const single = solve(network, 50_000)
      const double = solve(network, 200_000)
      double.circuitFlow.forEach((flow, circuit) => {
        expect(flow).toBeCloseTo(2 * at(single.circuitFlow, circuit), 7)
      })
    }),
  )
})

it('has an error of at most a few times the tolerance, for any tolerance', () => {
  fc.assert(
    fc.property(anyNetwork, anyNumber(-6, -3), (draw, exponent) => {
      const network = build(draw)
      const exact = solve(network)
      const coarse = createTreeState(network)
      const tolerance = 10 ** exponent
      const source = { kind: 'head', head: pascal(60_000) } as const
      expect(solveTree(network, coarse, source, { tolerance, maxRefreshes: 60 })).not.toBe('not-converged')
      coarse.circuitFlow.forEach((flow, circuit) => {
        const due = at(exact.circuitFlow, circuit)
        expect(Math.abs(flow - due)).toBeLessThanOrEqual(3 * tolerance * due)
      })
    }),
  )
})

it('does not depend on the order of pipes and circuits', () => {
  fc.assert(
    fc.property(anyNetwork, (draw) => {
      const last = draw.pipes.length - 1
      const flip = (index: number) => (index === SOURCE ? SOURCE : last - index)
      const mirrored: Draw = {
        pipes: draw.pipes.toReversed().map((pipe) => ({ ...pipe, parent: flip(pipe.parent) })),
        circuits: draw.circuits.toReversed().map((circuit) => ({ ...circuit, node: flip(circuit.node) })),
        valves: draw.valves.slice(0, draw.circuits.length).toReversed(),
      }
      const straight = solve(build(draw))
      const reversed = solve(build(mirrored))
      const count = draw.circuits.length
      straight.circuitFlow.forEach((flow, circuit) => {
        expect(at(reversed.circuitFlow, count - 1 - circuit)).toBeCloseTo(flow, 7)
      })
    }),
  )
})

it('computes the same flows from a warm start as from a cold start', () => {
  fc.assert(
    fc.property(anyNetwork, (draw) => {
      const network = build(draw)
      const cold = solve(network)
      const warm = createTreeState(network)
      // Rough narrow pipes between open valves need more refreshes than the usual limit.
      const exact = { tolerance: 1e-11, maxRefreshes: 400 }
      solveTree(network, warm, { kind: 'head', head: pascal(5_000) }, exact)
      expect(solveTree(network, warm, { kind: 'head', head: pascal(60_000) }, exact)).not.toBe(
        'not-converged',
      )
      warm.circuitFlow.forEach((flow, circuit) => {
        expect(flow).toBeCloseTo(at(cold.circuitFlow, circuit), 7)
      })
    }),
  )
})

it('stores only the flows of an earlier solve: without them the result is the same bit by bit', () => {
  fc.assert(
    fc.property(anyNetwork, anyNumber(1_000, 100_000), (draw, headPa) => {
      const network = build(draw)
      const source = { kind: 'head', head: pascal(headPa) } as const
      const used = createTreeState(network)
      solveTree(network, used, source)
      const flows = used.pipeFlow.slice()
      used.pipeFlow.fill(0)
      solveTree(network, used, source)
      const fresh = createTreeState(network)
      solveTree(network, fresh, source)
      expect(used.circuitFlow).toEqual(fresh.circuitFlow)
      // The same from given flows.
      used.pipeFlow.set(flows)
      const restored = createTreeState(network)
      restored.pipeFlow.set(flows)
      const other = { kind: 'head', head: pascal(headPa * 1.01) } as const
      solveTree(network, used, other)
      solveTree(network, restored, other)
      expect(used.circuitFlow).toEqual(restored.circuitFlow)
    }),
  )
})
