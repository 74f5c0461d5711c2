import { type Celsius, type Kelvin, kelvin, type Second } from '@isotherm/kernel/quantities'

/** Bounds of a strategy that lowers the head of a station's pump. */
export interface HeadRules {
  /** Lowest head as a share of the first one, 0..1. */
  readonly minShare: number
  /** Limits of the pump: lowest head, and largest change by one command, kPa. */
  readonly minHeadKpa: number
  readonly maxStepKpa: number
}

/** State of a station at a decision. */
export interface HeadSituation {
  /** Present head, and the one before the first step of the strategy, kPa. */
  readonly headKpa: number
  readonly originalKpa: number
  /** The highest head before a step since the strategy runs; the original one by default. */
  readonly firstKpa?: number
  /** Present offset of the heating curve, and the highest one that the strategy may order. */
  readonly offsetK: Kelvin
  readonly originalK: Kelvin
  /** Means of the last day: difference of the station's supply and return, and outdoor temperature; NaN if not measured. */
  readonly differenceK: Kelvin
  readonly outdoorC: Celsius
  /** The difference of each building with a cold room; NaN if not measured. */
  readonly coldDifferencesK: ArrayLike<number>
  /** Why the supply changes or stays by the same rooms (`SupplyReason`). */
  readonly why: string
  /** Time since the last change of head or offset (infinite without one), and that in which rooms follow, s. */
  readonly sinceChangeS: Second
  readonly restS: Second
}

/** Head to order, and the offset of the heating curve that must be reached first. */
export type HeadDecision =
  | { readonly kind: 'lower' | 'raise' | 'restore'; readonly headKpa: number; readonly offsetK: Kelvin }
  | { readonly kind: 'hold' }

/** Factor on the head by one step: the flow changes by 8 %. */
const STEP_SHARE = 0.85
/** The lowest head to which a strategy may lower, kPa. */
export const toLowestHead = (
  { minShare, minHeadKpa }: Pick<HeadRules, 'minShare' | 'minHeadKpa'>,
  firstKpa: number,
): number => Math.max(minHeadKpa, minShare * firstKpa)

/** Differences of heads that are not worth a command, kPa. */
const SAME_KPA = 1
/** Room temperature by which the heat load grows with the cold, °C. */
const ROOM_C = 20
/** How much colder the weather is for which less flow must be enough, K. */
const FRONT_K = 8
/** Smallest rise of the supply that its confirmation can tell from none, K. */
const MIN_RISE_K = 0.3

/** Rooms show within this share of their rest whether a rise was enough; then the next rise may follow. */
const RAISE_REST_SHARE = 0.25

/**
 * Rise of the supply by which an emitter gives the same heat from a flow that changes by a factor: the mean of supply and
 * return stays, and half of the growth of their difference is above it, K. Source: energy balance of an emitter.
 */
export const supplyForFlow = (differenceK: number, flowFactor: number): number =>
  (differenceK / 2) * (1 / flowFactor - 1)

/** The difference in colder weather, in which it has grown with the load, K. */
const inFront = (differenceK: number, outdoorC: number): number =>
  (differenceK * (ROOM_C - outdoorC + FRONT_K)) / (ROOM_C - outdoorC)

/**
 * The next change of a pump's head. Where rooms are at rest and comfortable, and the supply cannot be lowered by a step, the
 * head falls by one step, and the supply rises before, at most to its original offset: so much that the loop gets the same
 * heat in a cold front, and each building with a cold room the same as now. It stays if the difference of one of them is not
 * known, or the weather needs no heat. Where rooms are too cold at the original
 * offset, the head rises by two steps; without measured rooms it returns to the original one. Pure; never fails. Worked
 * example: head-step.test.ts.
 */
export function decideHeadStep(
  rules: HeadRules,
  { headKpa, originalKpa, firstKpa = originalKpa, offsetK, originalK, why, ...now }: HeadSituation,
): HeadDecision {
  const { maxStepKpa } = rules
  const isLowered = headKpa < originalKpa - SAME_KPA
  const upTo = (kpa: number): number => Math.round(Math.min(originalKpa, kpa, headKpa + maxStepKpa))
  if (isLowered && why === 'not-measured') return { kind: 'restore', headKpa: upTo(originalKpa), offsetK }
  if (isLowered && why === 'at-original' && now.sinceChangeS >= RAISE_REST_SHARE * now.restS)
    return { kind: 'raise', headKpa: upTo(headKpa / STEP_SHARE ** 2), offsetK }
  if (why !== 'enough') return { kind: 'hold' }
  const lowest = Math.max(toLowestHead(rules, Math.max(firstKpa, originalKpa)), headKpa - maxStepKpa)
  const next = Math.ceil(Math.max(lowest, STEP_SHARE * headKpa))
  // Without heat to transport, or without knowing how much a cold building gets, no rise makes up for less flow.
  const isKnown = now.differenceK > 0 && now.outdoorC < ROOM_C
  const cold = Array.from(now.coldDifferencesK)
  if (!isKnown || !cold.every(Number.isFinite)) return { kind: 'hold' }
  const differenceK = Math.max(inFront(now.differenceK, now.outdoorC), ...cold)
  const riseK = Math.max(MIN_RISE_K, supplyForFlow(differenceK, Math.sqrt(next / headKpa)))
  // Controllers store offsets in coarse steps.
  const raisedK = offsetK + Math.ceil(10 * riseK) / 10
  const isPossible = headKpa - next > SAME_KPA && raisedK <= originalK
  return isPossible ? { kind: 'lower', headKpa: next, offsetK: kelvin(raisedK) } : { kind: 'hold' }
}
