import { decideHeadStep, toLowestHead } from '@isotherm/balancing/energy/head-step'
import { findCold } from '@isotherm/balancing/energy/supply-step'
import type { CampaignState } from '@isotherm/contract/balancing/campaign'
import type { SupplyCheck, SupplyRules } from '@isotherm/contract/balancing/strategies'
import { isHeadAt, OFFSET_TOLERANCE_K, type PumpLimits } from '@isotherm/contract/command'
import { LEGAL_ROOM_C } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { celsius, kelvin, second } from '@isotherm/kernel/quantities'
import type { HeadOrder, SupplyState } from '../storage/supply-state.ts'
import { type SupplyInput, type SupplyPlan, toSupplyPeriodMs } from './plan-supply.ts'

/** What a decision on the head depends on besides the supply. */
export interface HeadInput extends SupplyInput {
  readonly pump: PumpLimits
  /** State of the campaign that has the loop. */
  readonly campaign?: CampaignState | undefined
  /** The station refused the decided offset, or a person holds another one. */
  readonly isOffsetRefused?: boolean
}

/** Rules of a strategy that lowers the head. */
type LoweringRules = SupplyRules & { readonly minHeadShare: number }

/** A decision on the supply temperature and the head. At most one of them is ordered at a time. */
export interface HeadPlan extends SupplyPlan {
  /** Head to order now, kPa. */
  readonly orderKpa?: number
}

/**
 * States in which the campaign's waves are judged by the head, so that the head must not change. A campaign that
 * waits for a person does not block the strategy.
 */
const movingStates: ReadonlySet<CampaignState> = new Set(['executing', 'settling', 'rolling-back'])

/** Whether the check of the supply found the rooms warm enough to lower the head now. */
const isWarm = ({ kind, reason }: SupplyCheck): boolean =>
  kind === 'hold' && (reason === 'enough' || reason === 'not-at-rest')

/** Time after a change of the head until flows and readings show it, ms of plant time. */
const HEAD_MOVES_MS = 3 * HOUR_MS
/** Maximum number of decisions for which a step waits for its warmer supply. Meanwhile the loop gets no campaign. */
const MAX_WAITS = 6

/** When a step stops waiting for its warmer supply and is dropped, Unix ms. */
const toWaitEnd = (state: SupplyState, timeFactor: number): number =>
  (state.order?.at ?? 0) + MAX_WAITS * toSupplyPeriodMs(timeFactor)

/**
 * Whether the loop still responds to a head that the strategy ordered, or will soon respond to one: a plan would predict
 * flows by another head. `now` is Unix ms.
 */
export function isHeadMoving(state: SupplyState | null, now: number, timeFactor: number): boolean {
  if (!state?.head) return false
  const { at } = state.head
  return at === undefined ? now < toWaitEnd(state, timeFactor) : (now - at) * timeFactor < HEAD_MOVES_MS
}

/**
 * Whether the offset cannot rise to what is wanted: it is refused, or the last order is a rise that the controller has not
 * reported by the next decision. Then offset and head are ordered in turn.
 */
function isOffsetStuck({
  state,
  rooms: { offsetK },
  isOffsetRefused = false,
  now,
  timeFactor,
}: HeadInput): boolean {
  if (isOffsetRefused) return true
  const order = state?.order
  if (order === undefined || offsetK === undefined || order.toK <= order.fromK) return false
  const isNewest = (state?.head?.at ?? Number.NEGATIVE_INFINITY) <= order.at
  return (
    isNewest && order.toK > offsetK + OFFSET_TOLERANCE_K && now >= order.at + toSupplyPeriodMs(timeFactor)
  )
}

/**
 * Reason for the decision on the head. If rooms are too cold and the offset cannot rise further, they are as cold as
 * at the original offset: `at-original`.
 */
function toHeadReason(
  { kind, reason, ...figures }: SupplyCheck,
  rules: SupplyRules,
  isStuck: boolean,
): string {
  if (reason === 'not-measured' || findCold(figures, rules) === undefined) return reason
  return isStuck || kind === 'advise' || reason === 'at-limit' ? 'at-original' : reason
}

/**
 * The strategy's last order of the head. Undefined if another user or program has changed the head since. An order that
 * waited too long for its supply temperature ends at the head that it started from.
 */
function findOwnOrder({ state, rooms: { headKpa }, now, timeFactor }: HeadInput): HeadOrder | undefined {
  const own = state?.head
  if (!own) return undefined
  if (own.at !== undefined)
    return headKpa === undefined || isHeadAt(headKpa, own.toKpa) || isHeadAt(headKpa, own.fromKpa)
      ? own
      : undefined
  if (headKpa !== undefined && !isHeadAt(headKpa, own.fromKpa)) return undefined
  if (now < toWaitEnd(state, timeFactor)) return own
  return { ...own, toKpa: own.fromKpa, at: state.order?.at ?? now }
}

/**
 * The head nearest to the wanted one that a command accepts, kPa. The limits apply the largest change to the measured
 * head `fromKpa`.
 */
function toAllowed(
  wantedKpa: number,
  { minHeadKpa, maxHeadKpa, maxStepKpa }: PumpLimits,
  fromKpa: number,
): number {
  const clamp = (kpa: number): number => Math.max(minHeadKpa, Math.min(maxHeadKpa, kpa))
  const [lowest, highest] = [Math.ceil(clamp(fromKpa - maxStepKpa)), Math.floor(clamp(fromKpa + maxStepKpa))]
  return Math.min(highest, Math.max(lowest, Math.round(wantedKpa)))
}

/**
 * Orders a head now, changed by at most the largest step that the limits allow. Orders nothing if that would move the head
 * away from the wanted one.
 */
function orderHead(
  plan: SupplyPlan,
  { kind, reason, wantedKpa }: Pick<SupplyCheck, 'kind' | 'reason'> & { readonly wantedKpa: number },
  { originalKpa, headKpa }: { readonly originalKpa: number; readonly headKpa: number },
  { pump, rooms, now, state }: HeadInput,
): HeadPlan {
  const toKpa = toAllowed(wantedKpa, pump, rooms.measuredKpa ?? headKpa)
  const { head: _, ...unchanged } = plan
  const open = state?.head?.at === undefined ? undefined : state.head.toKpa
  // An open order must not change the head later: an order of the present head supersedes it.
  const mayChange = open !== undefined && !isHeadAt(headKpa, open)
  if (isHeadAt(headKpa, Math.min(wantedKpa, pump.maxHeadKpa)) && !mayChange) return unchanged
  // The measured head differs much from the setpoint: the next decision tries again.
  if (kind === 'lower' ? toKpa > headKpa : toKpa < headKpa || (toKpa === headKpa && !mayChange)) return plan
  const head = { originalKpa, fromKpa: headKpa, toKpa, at: now }
  const { toK: _offset, changeK: _advised, ...check } = unchanged.check
  return { ...unchanged, head, orderKpa: toKpa, check: { ...check, kind, reason, fromKpa: headKpa, toKpa } }
}

/**
 * Decides on the next step of the head. A step down first raises the supply temperature, which makes up for the smaller
 * flow; a step up or a restoration orders the head at once.
 */
function startStep(
  plan: SupplyPlan,
  input: HeadInput,
  {
    originalKpa,
    headKpa,
    firstKpa,
    rules,
    isStuck,
  }: { originalKpa: number; headKpa: number; firstKpa: number; rules: LoweringRules; isStuck: boolean },
): HeadPlan {
  const { pump, limits, rooms, state, now, timeFactor } = input
  const { check } = plan
  // An ordered offset that the controller has not reported has changed nothing.
  const changes = [state?.head?.at, isStuck ? undefined : state?.order?.at]
  const changedAt = Math.max(...changes.map((at) => at ?? Number.NEGATIVE_INFINITY))
  const offsetK = check.fromK ?? 0
  const originalK = Math.min(plan.originalK ?? offsetK, limits.maxOffsetK)
  const step = decideHeadStep(
    { minShare: rules.minHeadShare, ...pump },
    {
      headKpa,
      originalKpa,
      firstKpa,
      offsetK: kelvin(offsetK),
      originalK: kelvin(originalK),
      differenceK: kelvin(rooms.differenceK),
      outdoorC: celsius(rooms.outdoorC),
      coldDifferencesK: rooms.valves.flatMap(({ differenceK, coldestC }) =>
        coldestC < LEGAL_ROOM_C + rules.coldMarginK ? [differenceK] : [],
      ),
      why: toHeadReason(check, rules, isStuck),
      sinceChangeS: second(((now - changedAt) * timeFactor) / 1000),
      restS: second(rooms.restS),
    },
  )
  const own = { originalKpa, headKpa }
  if (step.kind === 'hold') return plan
  if (step.kind !== 'lower')
    return orderHead(plan, { kind: step.kind, reason: check.reason, wantedKpa: step.headKpa }, own, input)
  if (input.campaign || isStuck || step.offsetK - offsetK > limits.maxStepK) return plan
  const order = { fromKpa: headKpa, toKpa: step.headKpa }
  return {
    ...plan,
    head: { originalKpa, ...order },
    firstKpa,
    check: { ...check, kind: 'raise', reason: 'less-flow', toK: step.offsetK, ...order },
  }
}

/**
 * Adds a decision on the pump's head to one on the supply: `decideHeadStep` within the limits of the pump. A step down waits
 * until the controller reports the warmer supply that makes up for it. If another user or program changes the head, its new
 * value becomes the original one. A stopped strategy restores the original head. Worked example: plan-head.test.ts.
 */
export function planHead(decided: SupplyPlan, input: HeadInput): HeadPlan {
  const { rules, state, rooms, campaign, pump, stop = 'stopped' } = input
  const { headKpa, offsetK } = rooms
  const firstKpa = rules?.minHeadShare === undefined ? undefined : state?.firstKpa
  const supply: SupplyPlan = firstKpa === undefined ? decided : { ...decided, firstKpa }
  const own = findOwnOrder(input)
  const plan: SupplyPlan = own ? { ...supply, head: own } : supply
  if (headKpa === undefined || (campaign && movingStates.has(campaign))) return plan
  const lowestKpa = own?.at === undefined ? headKpa : Math.min(headKpa, own.toKpa)
  const isLowered = own !== undefined && lowestKpa < own.originalKpa && !isHeadAt(lowestKpa, own.originalKpa)
  const { head: _, ...withoutHead } = plan
  const settled = isLowered ? plan : withoutHead
  const isStuck = isOffsetStuck(input)
  if (rules?.minHeadShare === undefined) {
    if (!isLowered || (supply.check.toK !== undefined && !isStuck)) return settled
    const restore = { kind: 'restore', reason: rules ? 'stopped' : stop, wantedKpa: own.originalKpa } as const
    return orderHead(plan, restore, { originalKpa: own.originalKpa, headKpa }, input)
  }
  const originalKpa = Math.max(own?.originalKpa ?? 0, headKpa)
  const highestKpa = Math.max(firstKpa ?? 0, originalKpa)
  const lowestAllowed = { minShare: rules.minHeadShare, ...pump }
  const floorKpa = Math.min(originalKpa, Math.ceil(toLowestHead(lowestAllowed, highestKpa)))
  if (own && own.at === undefined) {
    const toK = state?.order?.toK ?? Number.POSITIVE_INFINITY
    const hasRisen = offsetK !== undefined && offsetK >= toK - OFFSET_TOLERANCE_K
    const wantedKpa = Math.max(own.toKpa, floorKpa)
    const isTooSmall = wantedKpa >= headKpa || isHeadAt(headKpa, wantedKpa)
    if (!isWarm(supply.check) || isTooSmall)
      return isLowered ? { ...supply, head: { ...own, toKpa: headKpa, at: input.now } } : supply
    if (!hasRisen || campaign) return plan
    const step = { kind: 'lower', reason: 'less-flow', wantedKpa } as const
    return orderHead(plan, step, { originalKpa, headKpa }, input)
  }
  if (isLowered && lowestKpa < floorKpa && !isHeadAt(lowestKpa, floorKpa) && supply.check.kind === 'hold') {
    const step = { kind: 'raise', reason: 'at-limit', wantedKpa: Math.max(headKpa, floorKpa) } as const
    return orderHead(settled, step, { originalKpa, headKpa }, input)
  }
  if (supply.check.kind !== 'hold' && supply.check.kind !== 'advise' && !isStuck) return settled
  return startStep(settled, input, {
    originalKpa,
    headKpa,
    firstKpa: highestKpa,
    isStuck,
    rules: { ...rules, minHeadShare: rules.minHeadShare },
  })
}
