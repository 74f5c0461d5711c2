import { decideSupplyStep, type SupplyDecision } from '@isotherm/balancing/energy/supply-step'
import type { SupplyCheck, SupplyRules } from '@isotherm/contract/balancing/strategies'
import { OFFSET_TOLERANCE_K, type SupplyLimits } from '@isotherm/contract/command'
import { LEGAL_ROOM_C } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { celsius, kelvin, second } from '@isotherm/kernel/quantities'
import type { SupplyRooms } from '../rooms/supply-rooms.ts'
import type { SupplyOrder, SupplyState } from '../storage/supply-state.ts'

/** Fewer rooms have no 5th percentile: the coldest one would decide. */
const MIN_ROOMS = 10
/**
 * Number of steps by which the supply is raised at once. It is lowered by one step only: a raise takes effect slowly
 * and must not come too late.
 */
const RAISE_STEPS = 2
/** Range of advice, K: the present offset is unknown, so the limits of the contract apply. */
const ANY_K = 30

/** An order of a person or of another strategy; `at` is Unix ms. */
export interface OtherOrder {
  readonly at: number
  readonly offsetK: number
  /** It may still change the offset. */
  readonly isOpen: boolean
}

/** Everything that a decision on the supply temperature depends on. */
export interface SupplyInput {
  /** undefined: the strategy stopped, or its plan no longer lowers the supply. */
  readonly rules: SupplyRules | undefined
  readonly limits: SupplyLimits
  readonly state: SupplyState | null
  /** The newest order of somebody else since the last own one, if it was carried out or may still be. */
  readonly other?: OtherOrder | undefined
  /** Why there are no rules. */
  readonly stop?: 'stopped' | 'moved'
  /** Readings of rooms and of the station; without rules only those of the station are used. */
  readonly rooms: SupplyRooms
  /** Unix ms, and how much faster the plant's time runs. */
  readonly now: number
  readonly timeFactor: number
}

/** The decision; with `toK` in its check, an offset to order. */
export type SupplyPlan = Omit<SupplyState, 'nextAt' | 'order'>

const isSame = (oneK: number, otherK: number): boolean => Math.abs(oneK - otherK) <= OFFSET_TOLERANCE_K

/** The offset next to a wanted one that the limits allow from the present offset, K. */
function toAllowed(
  wantedK: number,
  fromK: number,
  { minOffsetK, maxOffsetK, maxStepK }: SupplyLimits,
): number {
  const step = Math.min(fromK + maxStepK, Math.max(fromK - maxStepK, wantedK))
  return Math.min(maxOffsetK, Math.max(minOffsetK, step))
}

const toFigures = ({ measuredRooms, coldShare, lowestC }: SupplyDecision) => ({
  measuredRooms,
  ...(coldShare === undefined ? {} : { coldShare }),
  ...(lowestC === undefined ? {} : { lowestC }),
})

/** Interval of decisions, ms of clock time: an hour of the plant. */
export const toSupplyPeriodMs = (timeFactor: number): number =>
  Math.max(10_000, Math.round(HOUR_MS / timeFactor))

/**
 * Offsets of own orders that a controller may still report although the next order supersedes them: those that it has not
 * reported yet.
 */
export const toEarlier = (order: SupplyOrder | undefined, fromK: number): readonly number[] => {
  if (order === undefined || isSame(order.toK, fromK)) return []
  return [...new Set([...(order.earlierK ?? []), order.toK])].filter((offsetK) => !isSame(offsetK, fromK))
}

/** Whether the reported offset is none of the strategy's own: a person ordered it, or changed it at the station. */
function isOfOthers(fromK: number, order: SupplyOrder, other: OtherOrder | undefined): boolean {
  if (other && isSame(fromK, other.offsetK)) return true
  return ![order.fromK, order.toK, ...(order.earlierK ?? [])].some((offsetK) => isSame(fromK, offsetK))
}

function decide(
  rules: SupplyRules,
  { limits, state, other, rooms, now, timeFactor }: SupplyInput,
  [offsetK, originalK, minOffsetK]: readonly [number, number, number],
): SupplyDecision {
  const order = state?.order
  const headAt = state?.head?.at ?? Number.NEGATIVE_INFINITY
  const changedAt = order ? Math.max(order.at, headAt, other?.at ?? 0) : headAt
  return decideSupplyStep(
    {
      lowerK: kelvin(Math.min(rules.lowerK, limits.maxStepK)),
      raiseK: kelvin(RAISE_STEPS * rules.lowerK),
      minOffsetK: kelvin(minOffsetK),
      comfortC: celsius(rules.comfortC),
      coldC: celsius(LEGAL_ROOM_C + rules.coldMarginK),
      maxColdShare: rules.maxColdShare,
      minRooms: MIN_ROOMS,
      minMeasuredShare: rules.minMeasuredShare,
    },
    {
      offsetK: kelvin(offsetK),
      originalK: kelvin(originalK),
      roomsC: rooms.roomsC,
      measuredShare: rooms.measuredShare,
      fresh: rooms.fresh,
      driftK: kelvin(rooms.driftK),
      sinceChangeS: second(((now - changedAt) * timeFactor) / 1000),
      wasRaised: order !== undefined && order.toK > order.fromK && !order.isForFlow,
      restS: second(rooms.restS),
      roomsWaitS: second(rooms.waitS),
    },
  )
}

/** Advice to people if the controller accepts no offset: the change of the supply temperature that they should make. */
function advise(rules: SupplyRules, input: SupplyInput): SupplyPlan {
  const { now: at } = input
  const decision = decide(rules, input, [0, ANY_K, -ANY_K])
  const figures = toFigures(decision)
  if (decision.kind === 'hold' || decision.kind === 'restore')
    return { check: { at, kind: 'hold', reason: decision.why, ...figures } }
  return { check: { at, kind: 'advise', reason: decision.why, changeK: decision.offsetK, ...figures } }
}

/** How the offset of a station compares with the original one, K. */
interface Standing {
  readonly originalK: number
  /** It is lowered, or an open order may still lower it. */
  readonly mayBeLowered: boolean
  /** An order that lowers it is not reported yet. */
  readonly isOpen: boolean
  /** It is lowered further than the limits allow by now. */
  readonly isBelowLimit: boolean
}

interface Wanted {
  readonly kind: Exclude<SupplyCheck['kind'], 'hold' | 'advise'>
  readonly reason: SupplyCheck['reason']
  readonly offsetK: number
}

/** The offset to reach, in one order or more; undefined to leave it. Without a decision the strategy is stopped. */
function toWanted(
  decision: SupplyDecision | undefined,
  { originalK, mayBeLowered, isOpen, isBelowLimit }: Standing,
  { limits: { minOffsetK }, stop = 'stopped' }: SupplyInput,
): Wanted | undefined {
  const original = (reason: SupplyCheck['reason']): Wanted => ({
    kind: 'restore',
    reason,
    offsetK: originalK,
  })
  if (decision === undefined) return mayBeLowered ? original(stop) : undefined
  const { kind, why } = decision
  if (kind !== 'hold') return { kind, reason: why, offsetK: decision.offsetK }
  if (isOpen && (why === 'not-measured' || why === 'at-original')) return original(why)
  if (isBelowLimit) return { kind: 'raise', reason: 'at-limit', offsetK: Math.min(originalK, minOffsetK) }
  return undefined
}

/**
 * Decides on the offset of a station: `decideSupplyStep` within the limits of commands. A person who changes the offset
 * in between sets a new original, also one that equals an offset of the strategy; nothing is ordered while the order of a
 * person is on its way. An own order that is not reported yet counts as if it may still lower the offset. Worked example:
 * plan-supply.test.ts.
 */
export function planSupply(input: SupplyInput): SupplyPlan {
  const { rules, limits, state, other, stop = 'stopped', rooms, now: at } = input
  const before = state?.originalK === undefined ? {} : { originalK: state.originalK }
  const { offsetK: fromK } = rooms
  if (fromK === undefined) {
    if (rules && !rooms.isPresent) return { ...before, check: { at, kind: 'hold', reason: 'not-measured' } }
    return rules && state?.originalK === undefined
      ? advise(rules, input)
      : { ...before, check: { at, kind: 'hold', reason: rules ? 'not-measured' : stop } }
  }
  if (other?.isOpen) return { ...before, check: { at, kind: 'hold', reason: 'person-order', fromK } }
  const order = state?.order
  const isByHand = order !== undefined && isOfOthers(fromK, order, other)
  const originalK = isByHand ? fromK : (state?.originalK ?? fromK)
  const isLowered = !isSame(fromK, originalK)
  const open = state?.originalK === undefined || isByHand ? undefined : order
  const isOpen = open !== undefined && !isSame(fromK, open.toK) && !isSame(open.toK, originalK)
  const mayBeLowered = isLowered || isOpen
  const decision = rules && decide(rules, input, [fromK, originalK, limits.minOffsetK])
  const figures = decision ? toFigures(decision) : {}
  const isBelowLimit = isLowered && fromK < limits.minOffsetK - OFFSET_TOLERANCE_K
  const wanted = toWanted(decision, { originalK, mayBeLowered, isOpen, isBelowLimit }, input)
  const toK = wanted === undefined ? fromK : toAllowed(wanted.offsetK, fromK, limits)
  const former = mayBeLowered || toK !== fromK ? { originalK } : {}
  // An open order must not lower the offset later: the order of the reported offset supersedes it.
  const isRecall = isOpen && isSame(toK, fromK) && wanted?.kind === 'restore'
  if (wanted === undefined || (isSame(toK, fromK) && !isRecall)) {
    const isUnmeasured = wanted?.reason === 'not-measured'
    const reason = wanted === undefined || isUnmeasured ? (decision?.why ?? stop) : 'at-limit'
    return { ...former, check: { at, kind: 'hold', reason, fromK, ...figures } }
  }
  const { kind, reason } = wanted
  // Counted from the open order, so that its late execution is not taken for a person's.
  const countedK = isRecall && open ? open.toK : fromK
  return { ...former, check: { at, kind, reason, fromK: countedK, toK, ...figures } }
}
