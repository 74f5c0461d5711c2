import { kilogramPerSecond, metre, pascalGauge, resistance } from '@isotherm/kernel/quantities'
import { expect, it } from 'vitest'
import { WARM_WATER } from '../elements/water.ts'
import { markFed } from './fed-nodes.ts'
import { createNetwork, type Network } from './network.ts'
import type { LinkSpec } from './network-spec.ts'
import { createNetworkState } from './solve-network.ts'

const resistor = (from: number, to: number, s = 1): LinkSpec => ({
  kind: 'resistor',
  from,
  to,
  resistance: resistance(s),
})
const pump = (from: number, to: number, speed: number): LinkSpec => ({
  kind: 'pump',
  from,
  to,
  curve: { h0: 1000, h1: 0, h2: 1 },
  speed,
})

/** Nodes without heights; the listed ones have a given pressure. */
function build(count: number, given: readonly number[], links: readonly LinkSpec[]): Network {
  const outcome = createNetwork({
    nodes: Array.from({ length: count }, (_, node) => ({
      height: metre(0),
      demand: kilogramPerSecond(0),
      ...(given.includes(node) ? { pressure: pascalGauge(1e5) } : {}),
    })),
    links,
    fluid: WARM_WATER,
    friction: 'swamee-jain',
  })
  if (outcome.kind !== 'network') throw new Error(outcome.kind)
  return outcome.network
}

function mark(network: Network, checkShut: readonly number[] = []) {
  const state = createNetworkState(network)
  markFed(
    network,
    state,
    Uint8Array.from({ length: network.linkCount }, (_, link) => (checkShut.includes(link) ? 1 : 0)),
  )
  return { isFed: [...state.isFed], isStill: [...state.isStill] }
}

it('feeds along links in both of their directions and around loops', () => {
  // 0 given, 1 before it, 2 and 3 behind, closed to a ring.
  const network = build(4, [0], [resistor(1, 0), resistor(1, 2), resistor(3, 2), resistor(3, 0)])
  expect(mark(network)).toEqual({ isFed: [1, 1, 1, 1], isStill: [0, 0, 0, 0] })
})

it('feeds from every given pressure', () => {
  const network = build(5, [1, 4], [resistor(0, 1), resistor(3, 4)])
  expect(mark(network)).toEqual({ isFed: [1, 1, 0, 1, 1], isStill: [0, 0] })
})

it.each<[string, LinkSpec]>([
  ['a valve of infinite resistance', resistor(0, 1, Number.POSITIVE_INFINITY)],
  ['a pump at standstill', pump(0, 1, 0)],
])('feeds nothing through %s, and what is behind has no flow', (_, link) => {
  const network = build(3, [0], [link, resistor(1, 2)])
  expect(mark(network)).toEqual({ isFed: [1, 0, 0], isStill: [1, 1] })
})

it('feeds nothing through a link that is shut or whose check valve is shut', () => {
  const network = build(3, [0], [pump(0, 1, 1), resistor(1, 2)])
  expect(mark(network)).toEqual({ isFed: [1, 1, 1], isStill: [0, 0] })
  expect(mark(network, [0])).toEqual({ isFed: [1, 0, 0], isStill: [1, 1] })
  network.isShut[0] = 1
  expect(mark(network)).toEqual({ isFed: [1, 0, 0], isStill: [1, 1] })
  network.isShut.set([0, 1])
  expect(mark(network)).toEqual({ isFed: [1, 1, 0], isStill: [0, 1] })
})

it('feeds the other side of a shut link by another way, but the link itself stays without flow', () => {
  const network = build(3, [0], [resistor(0, 1), resistor(1, 2), resistor(0, 2, Number.POSITIVE_INFINITY)])
  expect(mark(network)).toEqual({ isFed: [1, 1, 1], isStill: [0, 0, 1] })
})

it('marks anew what an earlier call has marked', () => {
  const network = build(2, [0], [resistor(0, 1)])
  const state = createNetworkState(network)
  network.isShut[0] = 1
  markFed(network, state, new Uint8Array(1))
  expect([...state.isFed, ...state.isStill]).toEqual([1, 0, 1])
  network.isShut[0] = 0
  markFed(network, state, new Uint8Array(1))
  expect([...state.isFed, ...state.isStill]).toEqual([1, 1, 0])
})
