import { createNetwork } from '@isotherm/hydraulics/network/network'
import type { LinkSpec } from '@isotherm/hydraulics/network/network-spec'
import { createNetworkState, solveNetwork } from '@isotherm/hydraulics/network/solve-network'
import { kilogramPerSecond, metre, pascalGauge, resistance } from '@isotherm/kernel/quantities'
import { consumerS } from '../loop/loop-model.ts'
import { assumeRecords } from '../records/assumed-loop.ts'
import type { LoopRecords } from '../records/loop-records.ts'

export const RING_HEAD_PA = 150_000
export const RING_COUNT = 6
const trench = (from: string, to: string, lengthM: number, innerDiameterM = 0.0703) => ({
  from,
  to,
  lengthM,
  innerDiameterM,
  roughnessM: 0.0005,
})
/**
 * Six buildings along a street that is connected to the station at both ends, and a pipe to an empty yard.
 */
export const ring = [
  trench('s', 'b0', 40),
  ...Array.from({ length: RING_COUNT - 1 }, (_, i) => trench(`b${i}`, `b${i + 1}`, 30 + 10 * i)),
  trench(`b${RING_COUNT - 1}`, 's', 160, 0.053),
  trench('b2', 'yard', 50),
]
export const recordsOfRing = (pipes: typeof ring): LoopRecords =>
  assumeRecords({
    place: 's',
    pipes,
    areas: [
      {
        buildings: Array.from({ length: RING_COUNT }, (_, i) => ({
          place: `b${i}`,
          units: [{ place: `b${i}`, areaM2: 900 + 150 * i, kvs: 25 }],
        })),
      },
    ],
  })

/**
 * Flows of the consumers, kg/s, solved in the network with its rings. The tree pipes and the pipes that close the rings
 * form one network; each consumer is a resistor from its node to a node of pressure 0.
 */
export function solveRings(
  { loop, closing = [] }: LoopRecords,
  openings: Float64Array,
  headPa = RING_HEAD_PA,
): Float64Array {
  const sink = loop.pipes.length + 1
  const node = (pressure?: number) => ({
    height: metre(0),
    demand: kilogramPerSecond(0),
    ...(pressure === undefined ? {} : { pressure: pascalGauge(pressure) }),
  })
  const toLink = (
    from: number,
    to: number,
    { length, runs, localLoss, ...pipe }: (typeof loop.pipes)[number],
  ) => ({
    kind: 'pipe' as const,
    from,
    to,
    length: metre(runs * length),
    localLoss: runs * localLoss,
    innerDiameter: pipe.innerDiameter,
    roughness: pipe.roughness,
  })
  const links: LinkSpec[] = [
    ...loop.pipes.map((spec, pipe) => toLink(spec.parent + 1, pipe + 1, spec)),
    ...closing.map(({ from, to, spec }) => toLink(from + 1, to + 1, spec)),
    ...Array.from(loop.network.circuitNode, (at, i): LinkSpec => {
      return {
        kind: 'resistor',
        from: at + 1,
        to: sink,
        resistance: resistance(consumerS(loop, i, openings[i] ?? 0)),
      }
    }),
  ]
  const outcome = createNetwork({
    nodes: [node(headPa), ...loop.pipes.map(() => node()), node(0)],
    links,
    fluid: loop.fluid,
    friction: loop.network.friction,
  })
  if (outcome.kind !== 'network') throw new Error(outcome.kind)
  const state = createNetworkState(outcome.network)
  const solved = solveNetwork(outcome.network, state)
  if (solved !== 'solved') throw new Error(solved)
  return state.linkFlow.slice(-RING_COUNT)
}
