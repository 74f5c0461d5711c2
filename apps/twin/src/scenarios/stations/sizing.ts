import { frictionFactor } from '@isotherm/hydraulics/elements/friction'
import { type PumpCurve, pumpThrough } from '@isotherm/hydraulics/elements/pump'
import { kvAtOpening, type ValveCharacteristic, valveResistance } from '@isotherm/hydraulics/elements/valve'
import { toM3H, WARM_WATER } from '@isotherm/hydraulics/elements/water'
import {
  createTreeState,
  DEFAULT_SOLVE,
  type SolveOptions,
  solveTree,
} from '@isotherm/hydraulics/tree/solve-tree'
import { createTreeNetwork, type PipeSpec } from '@isotherm/hydraulics/tree/tree-network'
import {
  flowCoefficient,
  kilogramPerSecond,
  type Metre,
  metre,
  openingRatio,
  pascal,
  type Resistance,
} from '@isotherm/kernel/quantities'

/** Steel pipes: nominal width, inner diameter and wall in m. */
const STEEL = [
  { dn: 40, inner: 0.041, wall: 0.0035 },
  { dn: 50, inner: 0.053, wall: 0.0035 },
  { dn: 65, inner: 0.0703, wall: 0.003 },
  { dn: 80, inner: 0.0825, wall: 0.0035 },
  { dn: 100, inner: 0.1071, wall: 0.004 },
  { dn: 125, inner: 0.1325, wall: 0.004 },
  { dn: 150, inner: 0.158, wall: 0.0045 },
  { dn: 200, inner: 0.2073, wall: 0.006 },
  { dn: 250, inner: 0.261, wall: 0.006 },
] as const

/** Motor valves of unit inlets: nominal width and Kvs. */
const VALVES = [
  { dn: 20, kvs: 6.3 },
  { dn: 25, kvs: 10 },
  { dn: 32, kvs: 16 },
  { dn: 40, kvs: 25 },
  { dn: 50, kvs: 40 },
] as const

/** Economic friction of secondary mains, Pa/m. */
const MAX_GRADIENT = 90
const ROUGHNESS = metre(0.0005)

function gradient(inner: number, flowKgS: number): number {
  const { densityKgM3, viscosityPaS } = WARM_WATER
  const reynolds = (4 * flowKgS) / (Math.PI * inner * viscosityPaS)
  const factor = frictionFactor(reynolds, ROUGHNESS / inner)
  return (8 * factor * flowKgS ** 2) / (densityKgM3 * Math.PI ** 2 * inner ** 5)
}

export interface SizedPipe {
  readonly innerDiameter: Metre
  readonly wall: Metre
  readonly roughness: Metre
}

/** The smallest steel pipe that carries a flow at an economic friction. */
export function sizePipe(flowKgS: number): SizedPipe {
  const chosen =
    STEEL.find((pipe) => gradient(pipe.inner, flowKgS) <= MAX_GRADIENT) ?? STEEL[STEEL.length - 1]
  return {
    innerDiameter: metre(chosen?.inner ?? 0.261),
    wall: metre(chosen?.wall ?? 0.006),
    roughness: ROUGHNESS,
  }
}

/** Heat loss of each pipe of an insulated pair to the ground, W/(m·K). */
export const lossOfPipe = (innerDiameter: Metre): number => 0.22 + innerDiameter

export interface SizedValve {
  readonly dn: number
  readonly characteristic: ValveCharacteristic
}

/** The smallest valve with a pressure drop of at most 5 kPa fully open; equal-percentage with rangeability 40. */
export function sizeValve(flowKgS: number): SizedValve {
  const chosen =
    VALVES.find((valve) => valve.kvs >= toM3H(flowKgS) / Math.sqrt(0.05)) ?? VALVES[VALVES.length - 1]
  return {
    dn: chosen?.dn ?? 50,
    characteristic: { kind: 'equal-percentage', kvs: flowCoefficient(chosen?.kvs ?? 40), rangeability: 40 },
  }
}

/** Data of a consumer for pump sizing. */
export interface SizingConsumer {
  readonly node: number
  readonly circuit: Resistance
  readonly valve: ValveCharacteristic
  readonly designFlowKgS: number
}

const TRIAL_HEAD_PA = 100_000

/**
 * Sizes a pump for a network with every valve at 80 %, so that the given share of consumers gets less than its design
 * flow. Real pumps are often sized like this, without a check of the far end. Throws with the station's name if water does
 * not flow or no flows are found.
 */
export function sizePump(
  name: string,
  pipes: readonly PipeSpec[],
  consumers: readonly SizingConsumer[],
  starvedShare: number,
  speed: number,
  options: SolveOptions = DEFAULT_SOLVE,
): PumpCurve {
  const outcome = createTreeNetwork(
    pipes,
    consumers.map(({ node, circuit }) => ({ node, resistance: circuit })),
    WARM_WATER,
  )
  if (outcome.kind !== 'tree') throw new Error(`${name}: the pipes are no tree (${outcome.kind})`)
  const { network } = outcome
  consumers.forEach((consumer, index) => {
    const kv = kvAtOpening(consumer.valve, openingRatio(0.8))
    network.valveResistance[index] = valveResistance(kv, WARM_WATER.densityKgM3)
  })
  const state = createTreeState(network)
  const solveAt = (headPa: number): void => {
    const solved = solveTree(network, state, { kind: 'head', head: pascal(headPa) }, options)
    if (solved !== 'solved') throw new Error(`${name}: no flows to size a pump by (${solved})`)
  }
  let head = TRIAL_HEAD_PA
  for (let round = 0; round < 3; round++) {
    solveAt(head)
    const supply = consumers
      .map((consumer, index) => (state.circuitFlow[index] ?? 0) / consumer.designFlowKgS)
      .sort((left, right) => left - right)
    const pivot = supply[Math.floor(starvedShare * supply.length)] ?? 1
    head /= pivot ** 2
  }
  solveAt(head)
  const nominal = head / speed ** 2
  return pumpThrough(pascal(nominal * 1.25), pascal(nominal), kilogramPerSecond(state.totalFlow / speed))
}
