import {
  type FlowCoefficient,
  flowCoefficient,
  type OpeningRatio,
  openingRatio,
  type Resistance,
  resistance,
} from '@isotherm/kernel/quantities'
import { type LearnedCurve, learnedKv, learnedOpening } from './learned-curve.ts'

/**
 * How a valve's flow coefficient follows its opening. `rangeability` R is the ratio of the largest to the smallest
 * controllable coefficient, 30 to 50 for the usual unit valve.
 */
export type ValveCharacteristic =
  | { readonly kind: 'equal-percentage'; readonly kvs: FlowCoefficient; readonly rangeability: number }
  | { readonly kind: 'linear'; readonly kvs: FlowCoefficient }
  /** A ball or butterfly valve without a shaped seat. */
  | { readonly kind: 'quick-opening'; readonly kvs: FlowCoefficient }
  | LearnedCurve

/** Below this opening an equal-percentage valve leaves its curve and closes in a straight line to zero. */
export const SHUT_OFF_OPENING: OpeningRatio = openingRatio(0.05)

/**
 * Kv in m³/h at an opening; 0 for a closed valve. Equal-percentage: Kv = Kvs·R^(u−1) from 5 % up; linear: Kvs·u;
 * quick-opening: Kvs·√u; learned: its own curve, which may leak when closed. Openings outside 0..1 count as the nearest end.
 * Source: IEC 60534-2-4 inherent characteristics. Worked examples: valve.test.ts, learned-curve.test.ts.
 */
export function kvAtOpening(valve: ValveCharacteristic, opening: OpeningRatio): FlowCoefficient {
  const u = Math.min(1, Math.max(0, opening))
  if (valve.kind === 'linear') return flowCoefficient(valve.kvs * u)
  if (valve.kind === 'quick-opening') return flowCoefficient(valve.kvs * Math.sqrt(u))
  if (valve.kind === 'learned') return learnedKv(valve, openingRatio(u))
  if (u >= SHUT_OFF_OPENING) return flowCoefficient(valve.kvs * valve.rangeability ** (u - 1))
  const atShutOff = valve.kvs * valve.rangeability ** (SHUT_OFF_OPENING - 1)
  return flowCoefficient((atShutOff * u) / SHUT_OFF_OPENING)
}

/** The opening for a coefficient, or why there is none. */
export type OpeningOutcome =
  | { readonly kind: 'opening'; readonly opening: OpeningRatio }
  | { readonly kind: 'kv-too-large'; readonly kvs: FlowCoefficient }
  | { readonly kind: 'kv-negative' }
  /** The closed valve leaks more than the coefficient. */
  | { readonly kind: 'kv-below-leak'; readonly leak: FlowCoefficient }

/** The inverse of `kvAtOpening`. */
export function openingForKv(valve: ValveCharacteristic, kv: FlowCoefficient): OpeningOutcome {
  if (!(kv >= 0)) return { kind: 'kv-negative' }
  if (kv > valve.kvs) return { kind: 'kv-too-large', kvs: valve.kvs }
  if (valve.kind === 'learned') {
    const [leak = flowCoefficient(0)] = valve.points
    return kv < leak
      ? { kind: 'kv-below-leak', leak }
      : { kind: 'opening', opening: learnedOpening(valve, kv) }
  }
  const share = kv / valve.kvs
  if (valve.kind === 'linear') return { kind: 'opening', opening: openingRatio(share) }
  if (valve.kind === 'quick-opening') return { kind: 'opening', opening: openingRatio(share ** 2) }
  const atShutOff = valve.kvs * valve.rangeability ** (SHUT_OFF_OPENING - 1)
  if (kv < atShutOff) return { kind: 'opening', opening: openingRatio((kv / atShutOff) * SHUT_OFF_OPENING) }
  return {
    kind: 'opening',
    opening: openingRatio(1 + Math.log(kv / valve.kvs) / Math.log(valve.rangeability)),
  }
}

/**
 * Resistance S in Δp = S·ṁ² of a valve: S = 1e5·(3600/(ρ·Kv))², with ρ in kg/m³; Infinity when closed.
 * The definition of Kv also carries a factor ρ/1000, under 1.5 % for heating water; it is left out here as in the
 * networks the solver is checked against, and for the inverse alike, so that openings are not affected.
 */
export function valveResistance(kv: FlowCoefficient, densityKgM3: number): Resistance {
  if (kv <= 0) return resistance(Number.POSITIVE_INFINITY)
  return resistance(1e5 * (3600 / (densityKgM3 * kv)) ** 2)
}

/** The coefficient that has resistance S, the inverse of `valveResistance`. */
export function kvForResistance(valveS: Resistance, densityKgM3: number): FlowCoefficient {
  return flowCoefficient((3600 / densityKgM3) * Math.sqrt(1e5 / valveS))
}

/** Authority: the share of the circuit's pressure drop that falls across the fully open valve, 0..1. */
export function valveAuthority(openValve: Resistance, restOfCircuit: Resistance): number {
  return openValve / (openValve + restOfCircuit)
}

/**
 * Flow at an opening over flow with the valve fully open, in a circuit of given authority at constant head:
 * 1/√(1 − a + a·(Kvs/Kv)²).
 */
export function installedFlowRatio(
  valve: ValveCharacteristic,
  authority: number,
  opening: OpeningRatio,
): number {
  const kv = kvAtOpening(valve, opening)
  if (kv <= 0) return 0
  return 1 / Math.sqrt(1 - authority + authority * (valve.kvs / kv) ** 2)
}
