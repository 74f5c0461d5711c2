import { kilogramPerSecond, metre, pascal, pascalGauge, resistance } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyNumber } from '../elements/even-numbers.testkit.ts'
import type { FrictionLaw } from '../elements/friction.ts'
import { WARM_WATER } from '../elements/water.ts'
import { createTreeState, solveTree } from '../tree/solve-tree.ts'
import { createTreeNetwork } from '../tree/tree-network.ts'
import { CREEPING_FLOW } from './link-loss.ts'
import { createNetwork, type Network } from './network.ts'
import type { LinkSpec, NetworkSpec, NodeSpec } from './network-spec.ts'
import { createNetworkState, type NetworkState, solveNetwork } from './solve-network.ts'

/** Shrinks a failure for some seconds only; the seed reproduces it in any case. Stricter settings of a run stay. */
fc.configureGlobal({ interruptAfterTimeLimit: 10_000, ...fc.readConfigureGlobal() })

const laws: readonly FrictionLaw[] = ['swamee-jain', 'colebrook', 'nikuradse']

const anyNode = (isGiven: boolean): fc.Arbitrary<NodeSpec> =>
  fc.tuple(anyNumber(0, 60), anyNumber(-3, 5), anyNumber(1e5, 8e5)).map(([height, demand, pressure]) => ({
    height: metre(height),
    demand: kilogramPerSecond(demand),
    ...(isGiven ? { pressure: pascalGauge(pressure) } : {}),
  }))

const anyLink = (from: fc.Arbitrary<number>, to: fc.Arbitrary<number>): fc.Arbitrary<LinkSpec> =>
  fc.tuple(from, to).chain(([start, end]): fc.Arbitrary<LinkSpec> => {
    const ends = { from: start, to: end }
    return fc
      .oneof(
        {
          weight: 6,
          arbitrary: fc.tuple(anyNumber(1, 400), anyNumber(0.03, 0.3), anyNumber(0, 1e-3), anyNumber(0, 20)),
        },
        { weight: 2, arbitrary: fc.oneof(anyNumber(0.1, 1e6), fc.constant(Number.POSITIVE_INFINITY)) },
        { weight: 1, arbitrary: fc.record({ head: anyNumber(1e4, 4e5), h2: anyNumber(1, 1e4) }) },
      )
      .map((drawn): LinkSpec => {
        if (typeof drawn === 'number') return { kind: 'resistor', ...ends, resistance: resistance(drawn) }
        if ('head' in drawn)
          return { kind: 'pump', ...ends, curve: { h0: drawn.head, h1: 0, h2: drawn.h2 }, speed: 1 }
        const [length, diameter, roughness, localLoss] = drawn
        return {
          kind: 'pipe',
          ...ends,
          length: metre(length),
          innerDiameter: metre(diameter),
          roughness: metre(roughness),
          localLoss,
        }
      })
  })

/** A spanning tree of links, and some more that close loops. The first node and some others have a given pressure. */
const anyNetwork: fc.Arbitrary<NetworkSpec> = fc.integer({ min: 2, max: 15 }).chain((count) => {
  const node = fc.integer({ min: 0, max: count - 1 })
  return fc
    .record({
      nodes: fc.tuple(
        anyNode(true),
        ...Array.from({ length: count - 1 }, () =>
          fc.boolean().chain((isFirst) => anyNode(isFirst && count % 4 === 0)),
        ),
      ),
      tree: fc.tuple(
        ...Array.from({ length: count - 1 }, (_, index) =>
          anyLink(fc.integer({ min: 0, max: index }), fc.constant(index + 1)),
        ),
      ),
      loops: fc.array(anyLink(node, node), { maxLength: 8 }),
      friction: fc.constantFrom(...laws),
    })
    .map(({ nodes, tree, loops, friction }) => ({
      nodes,
      links: [...tree, ...loops.filter(({ from, to }) => from !== to)],
      fluid: WARM_WATER,
      friction,
    }))
})

function build(spec: NetworkSpec): Network {
  const outcome = createNetwork(spec)
  if (outcome.kind !== 'network') throw new Error(outcome.kind)
  return outcome.network
}

function solve(network: Network): NetworkState {
  const state = createNetworkState(network)
  expect(['solved', 'cut-off', 'dry']).toContain(solveNetwork(network, state))
  return state
}

const at = (values: ArrayLike<number>, index: number): number => values[index] ?? Number.NaN
const sumOf = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((sum, value) => sum + Math.abs(value), 0)

it('balances mass to 1e-9 at every fed node, and has no flow elsewhere', () => {
  fc.assert(
    fc.property(anyNetwork, (spec) => {
      const network = build(spec)
      const state = solve(network)
      const inflow = new Float64Array(network.nodeCount)
      state.linkFlow.forEach((flow, link) => {
        inflow[at(network.from, link)] = at(inflow, at(network.from, link)) - flow
        inflow[at(network.to, link)] = at(inflow, at(network.to, link)) + flow
      })
      const scale = 1e-9 * Math.max(1, sumOf(state.linkFlow))
      inflow.forEach((flow, node) => {
        if (network.isGiven[node] === 1) return
        const wanted = state.isFed[node] === 1 ? at(network.demand, node) : 0
        expect(Math.abs(flow - wanted)).toBeLessThanOrEqual(scale)
      })
    }),
  )
})

it('has a loss along every open link equal to the pressure difference, and no backflow through a pump', () => {
  fc.assert(
    fc.property(anyNetwork, (spec) => {
      const network = build(spec)
      const state = solve(network)
      state.linkFlow.forEach((flow, link) => {
        if (network.isPump[link] === 1) expect(flow).toBeGreaterThanOrEqual(-1e-7)
        if (state.isStill[link] === 1) {
          expect(flow).toBe(0)
          return
        }
        const [from, to] = [at(network.from, link), at(network.to, link)]
        const between =
          at(state.nodePressure, from) +
          at(network.column, from) -
          at(state.nodePressure, to) -
          at(network.column, to)
        const loss = at(state.linkLoss, link)
        expect(Math.abs(loss - between)).toBeLessThanOrEqual(1e-6 * Math.max(1e5, Math.abs(loss)))
      })
    }),
  )
})

it('does not depend on the order of nodes and links', () => {
  fc.assert(
    fc.property(anyNetwork, (spec) => {
      const flip = (node: number): number => spec.nodes.length - 1 - node
      const mirrored = {
        ...spec,
        nodes: spec.nodes.toReversed(),
        links: spec.links.toReversed().map((link) => ({ ...link, from: flip(link.from), to: flip(link.to) })),
      }
      const straight = solve(build(spec))
      const reversed = solve(build(mirrored))
      straight.nodePressure.forEach((pressure, node) => {
        const other = at(reversed.nodePressure, flip(node))
        expect(Math.abs(pressure - other)).toBeLessThanOrEqual(1e-6 * Math.max(1e5, Math.abs(pressure)))
      })
    }),
  )
})

it('stores only the flows of an earlier solve: without them the result is the same bit by bit', () => {
  fc.assert(
    fc.property(anyNetwork, (spec) => {
      const network = build(spec)
      const used = solve(network)
      used.linkFlow.fill(0)
      solveNetwork(network, used)
      const fresh = solve(network)
      expect(used.linkFlow).toEqual(fresh.linkFlow)
      expect(used.nodePressure).toEqual(fresh.nodePressure)
    }),
  )
})

it('doubles every flow at four times the pressures while the law is quadratic', () => {
  const resistors = fc.array(anyNumber(1, 1e5), { minLength: 6, maxLength: 6 })
  fc.assert(
    fc.property(resistors, anyNumber(1e4, 1e6), (sizes, pressure) => {
      const flowsAt = (top: number): Float64Array => {
        const free = { height: metre(0), demand: kilogramPerSecond(0) }
        const ends: readonly (readonly [number, number])[] = [
          [0, 1],
          [0, 2],
          [1, 2],
          [1, 3],
          [2, 3],
          [0, 3],
        ]
        const given = (pa: number) => ({ ...free, pressure: pascalGauge(pa) })
        return solve(
          build({
            nodes: [given(top), free, free, given(0)],
            links: ends.map(([from, to], index) => ({
              kind: 'resistor',
              from,
              to,
              resistance: resistance(at(sizes, index)),
            })),
            fluid: WARM_WATER,
            friction: 'colebrook',
          }),
        ).linkFlow
      }
      const single = flowsAt(pressure)
      const largest = Math.max(...single)
      // Near zero flow the law is a straight line, so the error of a link there is at most the length of that line.
      const creeping = single.filter((flow) => Math.abs(flow) <= CREEPING_FLOW).length
      const off = 1e-6 * largest + creeping * CREEPING_FLOW
      flowsAt(4 * pressure).forEach((flow, link) => {
        expect(Math.abs(flow - 2 * at(single, link))).toBeLessThanOrEqual(off)
      })
    }),
  )
})

/** Any number a description could hold, of any size. */
const anything = fc.oneof(anyNumber(-1e12, 1e12), anyNumber(0, 10), anyNumber(-1e-12, 1e-12), fc.constant(0))

it('never returns NaN for finite inputs', () => {
  const wildNode = fc.tuple(anything, anything, fc.option(anything)).map(
    ([height, demand, pressure]): NodeSpec => ({
      height: metre(height),
      demand: kilogramPerSecond(demand),
      ...(pressure === null ? {} : { pressure: pascalGauge(pressure) }),
    }),
  )
  const end = fc.integer({ min: 0, max: 5 })
  const wildLink = fc
    .tuple(fc.constantFrom('pipe', 'resistor', 'pump'), end, end, anything, anything, anything, anything)
    .map(([kind, from, to, a, b, c, d]): LinkSpec => {
      if (kind === 'resistor') return { kind, from, to, resistance: resistance(a) }
      if (kind === 'pump') return { kind, from, to, curve: { h0: a, h1: b, h2: c }, speed: d }
      return {
        kind: 'pipe',
        from,
        to,
        length: metre(a),
        innerDiameter: metre(b),
        roughness: metre(c),
        localLoss: d,
      }
    })
  fc.assert(
    fc.property(
      fc.array(wildNode, { minLength: 2, maxLength: 6 }),
      fc.array(wildLink, { maxLength: 10 }),
      fc.constantFrom(...laws),
      (nodes, links, friction) => {
        // A single invalid link would hide the others, so only links that are valid on their own are used.
        const ground = { height: metre(0), demand: kilogramPerSecond(0), pressure: pascalGauge(0) }
        const all = [...nodes, ground]
        const spec = (some: readonly LinkSpec[]) => ({ nodes: all, links: some, fluid: WARM_WATER, friction })
        const sound = links.filter((link) => createNetwork(spec([link])).kind === 'network')
        const network = build(spec(sound))
        const state = createNetworkState(network)
        solveNetwork(network, state)
        for (const value of [...state.linkFlow, ...state.nodePressure]) expect(value).not.toBeNaN()
      },
    ),
    { numRuns: 500 },
  )
})

it('never returns NaN for a tree either', () => {
  const positive = fc.oneof(anyNumber(0, 1e12), anyNumber(0, 10), anyNumber(0, 1e-12))
  const pipe = fc.tuple(positive, positive, positive, positive, positive)
  fc.assert(
    fc.property(
      fc.array(pipe, { maxLength: 8 }),
      fc.array(positive, { maxLength: 8 }),
      positive,
      (drawn, circuits, head) => {
        const pipes = drawn.map(([length, innerDiameter, roughness, localLoss, runs], index) => ({
          parent: Math.floor(index / 2) - 1,
          length: metre(length),
          innerDiameter: metre(innerDiameter),
          roughness: metre(roughness),
          localLoss,
          runs,
        }))
        const outcome = createTreeNetwork(
          pipes,
          circuits.map((s, index) => ({ node: (index % (pipes.length + 1)) - 1, resistance: resistance(s) })),
          WARM_WATER,
        )
        if (outcome.kind !== 'tree') return
        const state = createTreeState(outcome.network)
        solveTree(outcome.network, state, { kind: 'head', head: pascal(head) })
        for (const value of [...state.pipeFlow, ...state.circuitFlow, ...state.nodeHead, state.totalFlow])
          expect(value).not.toBeNaN()
      },
    ),
    { numRuns: 500 },
  )
})
