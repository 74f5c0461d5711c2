import type { ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { flowCoefficient } from '@isotherm/kernel/quantities'
import type { CurveSource } from './loop-records.ts'
import type { PlateCurve } from './valve-plate.ts'

/** Motor valves of buildings and units: nominal width and usual Kvs, m³/h at 1 bar. */
const VALVES = [
  { dn: 15, kvs: 4 },
  { dn: 20, kvs: 6.3 },
  { dn: 25, kvs: 10 },
  { dn: 32, kvs: 16 },
  { dn: 40, kvs: 25 },
  { dn: 50, kvs: 40 },
  { dn: 65, kvs: 63 },
  { dn: 80, kvs: 100 },
  { dn: 100, kvs: 160 },
] as const

/** Rangeability of the usual plug: 30 to 50. */
const RANGEABILITY = 40
/** Largest pressure drop for which a fully open valve is sized, bar. */
const OPEN_DROP_BAR = 0.05

/**
 * Kvs from a name plate or model name such as `DN32 Kvs16`, or the usual Kvs of its diameter; undefined without both.
 */
export function kvsOfPlate(model: string): number | undefined {
  const kvs = Number(/kvs\s*[=:]?\s*(\d+(?:\.\d+)?)/i.exec(model)?.[1])
  if (kvs > 0) return kvs
  const dn = Number(/dn\s*(\d+)/i.exec(model)?.[1])
  return VALVES.find((valve) => valve.dn === dn)?.kvs
}

/** Kvs of the smallest usual valve that loses at most 5 kPa when fully open; of the largest valve if none is large enough. */
export function usualKvs(flowKgS: number): number {
  const wanted = (3600 * flowKgS) / WARM_WATER.densityKgM3 / Math.sqrt(OPEN_DROP_BAR)
  return VALVES.find(({ kvs }) => kvs >= wanted)?.kvs ?? 160
}

/** A valve of this shape, by default equal-percentage with the usual rangeability. */
export const assumedValve = (kvs: number, shape: PlateCurve = 'equal-percentage'): ValveCharacteristic =>
  shape === 'equal-percentage'
    ? { kind: shape, kvs: flowCoefficient(kvs), rangeability: RANGEABILITY }
    : { kind: shape, kvs: flowCoefficient(kvs) }

/** What the records of a valve say. */
export interface ValveFacts {
  /** Kvs of its name plate, m³/h at 1 bar (`kvsOfPlate`). */
  readonly kvs?: number | undefined
  /** Shape of its curve on its name plate (`curveOfPlate`). */
  readonly shape?: PlateCurve | undefined
  /** Its curve as people stated it. It has priority over the name plate. */
  readonly stated?: ValveCharacteristic | undefined
}

/** The valve of these facts; without a Kvs the smallest one that fits the design flow in kg/s. */
export const recordedValve = ({ kvs, shape, stated }: ValveFacts, flowKgS: number): ValveCharacteristic =>
  stated ?? assumedValve(kvs ?? usualKvs(flowKgS), shape)

/** Where the curve of these facts comes from. A name plate with a Kvs alone leaves the shape open: `assumed`. */
export function curveSourceOf({ shape, stated }: ValveFacts): CurveSource {
  if (stated) return 'stated'
  return shape ? 'plate' : 'assumed'
}
