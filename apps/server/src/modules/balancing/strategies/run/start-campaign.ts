import type { BalanceMode } from '@isotherm/contract/balancing/campaign'
import type { SequencePlan, StrategyIndex } from '@isotherm/contract/balancing/strategies'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { requireRound } from '../../campaign/run/require-orders.ts'
import type { Place } from '../../loop/place.ts'
import {
  type HeldSlot,
  hasLowered,
  isBrought,
  isColder,
  movesLeftOver,
  toHeld,
} from '../storage/held-slot.ts'
import { findLoopCampaign, recordHeld, recordOutcome, storeCampaign } from '../storage/strategy-changes.pg.ts'
import { nextAllowed, nextCheck } from '../timeline/hours.ts'
import { asPlanned, isBeyond, toIndex } from '../timeline/indices.ts'
import { toMode, toSlotMode, toSlowTrimMode } from '../timeline/modes.ts'
import { isSameLevel } from '../timeline/timeline.ts'
import { toHindrance } from './hindrance.ts'
import { toRetryAt } from './retry.ts'
import { findSequenceDue, type SequenceDue } from './sequence-due.ts'
import { type Hindrance, RETRY_MS, type StrategyContext, type StrategyTickNeeds } from './tick-needs.ts'

/** Time between two checks of the weather while groups are set back, ms. */
const WEATHER_MS = HOUR_MS

/**
 * Tick of a strategy without a campaign: starts one if it is due. Returns when the next tick is due, Unix ms.
 */
export function createStart(needs: StrategyTickNeeds) {
  const { db, planner } = needs

  async function note(
    { strategy, acting, now }: StrategyContext,
    outcome: Hindrance,
    nextAt: number,
    held?: HeldSlot,
  ): Promise<number> {
    const changes = { outcome: { ...outcome, at: now }, next_ms: nextAt }
    await recordOutcome(
      db,
      strategy,
      undefined,
      held === undefined ? changes : { ...changes, held },
      acting.operation,
    )
    return nextAt
  }

  /** Stores why the campaign could not start. The retry is never later than the next boundary at `dueAt`. */
  const recordHindrance = (
    context: StrategyContext,
    hindrance: Hindrance,
    dueAt = Number.POSITIVE_INFINITY,
  ): Promise<number> => {
    const { strategy, now } = context
    const retryAt = toRetryAt(strategy.last, hindrance, now)
    return note(context, hindrance, dueAt > now ? Math.min(dueAt, retryAt) : retryAt)
  }

  /** The place of the strategy, if its loop is free and still the one the strategy was made for. */
  async function findFree({ strategy }: StrategyContext): Promise<Place | Hindrance> {
    const other = await findLoopCampaign(db, strategy.stationNodeId)
    if (other !== undefined) return { kind: 'loop-taken', campaign: other.id }
    try {
      const place = await planner.findPlace(strategy.node)
      return place.stationNodeId === strategy.stationNodeId
        ? place
        : { kind: 'refused', code: 'balance.no-station', params: { node: place.nodeName } }
    } catch (error) {
      return toHindrance(error)
    }
  }

  /** Stores a campaign that commands would accept; a refusal is only stored as the outcome. */
  async function start(
    context: StrategyContext,
    planned: Omit<Parameters<typeof storeCampaign>[2], 'outcome'>,
    index: StrategyIndex | undefined,
  ): Promise<number> {
    const { strategy, acting, now } = context
    await requireRound(needs.commands, acting.caller, planned.round)
    const outcome = { kind: 'begun', at: now, ...(index ? { index } : {}) } as const
    await storeCampaign(db, strategy, { ...planned, outcome }, acting.operation)
    return now
  }

  /** Within the dead band: moves valves that have drifted, if the strategy has a slow trim. */
  async function trimSlowly(
    context: StrategyContext,
    place: Place,
    index: StrategyIndex,
    nextAt: number,
  ): Promise<number> {
    const mode = toSlowTrimMode(context.strategy.plan)
    const round = mode && (await planner.plan(place, mode))
    if (!round || round.steps.length === 0) return note(context, { kind: 'within', index }, nextAt)
    return start(context, { place, mode, round, due: null }, index)
  }

  /** Plans, and starts a campaign if it moves something and is needed. */
  async function balance(
    context: StrategyContext,
    place: Place,
    mode: BalanceMode,
    nextAt: number,
  ): Promise<number> {
    const { strategy } = context
    try {
      const round = await planner.plan(place, mode)
      const index = toIndex(strategy.plan, mode, asPlanned(round))
      if (!index) return await recordHindrance(context, { kind: 'not-measured' })
      if (!isBeyond(index)) return await trimSlowly(context, place, index, nextAt)
      if (round.steps.length === 0) return await note(context, { kind: 'nothing-to-move', index }, nextAt)
      return await start(context, { place, mode, round, due: null }, index)
    } catch (error) {
      return recordHindrance(context, toHindrance(error))
    }
  }

  async function checkIndex(context: StrategyContext): Promise<number> {
    const { strategy, zone, now } = context
    const { plan, nextAt } = strategy
    if (plan.kind === 'sequence') throw new Error('a sequence follows its timetable, not an index')
    const at = Math.max(nextAt ?? now, nextAllowed(plan.hours, zone, now))
    if (at > now) {
      if (at !== nextAt) await recordHeld(db, strategy, { next_ms: at })
      return at
    }
    const place = await findFree(context)
    if ('kind' in place) return recordHindrance(context, place)
    const outdoorC = plan.kind === 'energy' ? (await needs.readSnapshot(place)).outdoorC : undefined
    const mode = toMode(plan, outdoorC)
    if (!mode) {
      const params = { node: place.nodeName }
      return recordHindrance(context, { kind: 'not-measured', code: 'balance.no-weather', params })
    }
    return balance(context, place, mode, nextCheck(plan, zone, now))
  }

  /**
   * Plans the current time slot. `again`: valves left over from an earlier attempt at the same slot; if set, a
   * campaign starts only for their sake.
   */
  async function bringToSlot(
    context: StrategyContext,
    plan: SequencePlan,
    { wanted, nextAt, tickAt }: SequenceDue,
    again: HeldSlot | undefined,
  ): Promise<number> {
    const { now } = context
    const place = await findFree(context)
    if ('kind' in place) return again ? tickAt : recordHindrance(context, place, tickAt)
    try {
      const mode = toSlotMode(plan, wanted)
      const { outdoorC } = await needs.readSnapshot(place)
      const round = await planner.plan(place, mode)
      const due = toHeld(wanted, outdoorC, round)
      if (again && !movesLeftOver(again, round)) return tickAt
      const index = toIndex(plan, mode, asPlanned(round))
      if (round.steps.length > 0) return await start(context, { place, mode, round, due }, index)
      await note(context, { kind: 'nothing-to-move', ...(index ? { index } : {}) }, nextAt, due)
      return now
    } catch (error) {
      return recordHindrance(context, toHindrance(error), tickAt)
    }
  }

  /** Continues with a slot that was planned: if it became colder, and for valves that were left over. */
  async function continueSlot(
    context: StrategyContext,
    plan: SequencePlan,
    due: SequenceDue,
    held: HeldSlot,
  ) {
    const { strategy, now } = context
    if (strategy.nextAt !== due.nextAt) await recordHeld(db, strategy, { next_ms: due.nextAt })
    const watched = hasLowered(held) ? { ...due, tickAt: Math.min(due.tickAt, now + WEATHER_MS) } : due
    if (hasLowered(held) && isColder(held, await findOutdoor(strategy.node)))
      return bringToSlot(context, plan, watched, undefined)
    if (held.left.length === 0) return watched.tickAt
    return bringToSlot(context, plan, { ...watched, tickAt: Math.min(watched.tickAt, now + RETRY_MS) }, held)
  }

  /** Outdoor temperature now, °C; undefined without a reading, or if the loop has no station any more. */
  async function findOutdoor(node: string): Promise<number | undefined> {
    try {
      return (await needs.readSnapshot(await planner.findPlace(node))).outdoorC
    } catch (error) {
      toHindrance(error)
      return undefined
    }
  }

  async function checkTimetable(context: StrategyContext): Promise<number> {
    const { strategy } = context
    const { plan, held } = strategy
    if (plan.kind !== 'sequence') throw new Error('only a sequence has a timetable')
    const due = await findSequenceDue(needs, context, plan)
    const { wanted, nextAt } = due
    if (held && isBrought(held, wanted)) return continueSlot(context, plan, due, held)
    const isSame = held?.groups.every(({ level }, group) => isSameLevel(level, wanted[group]?.level ?? level))
    if (!held || !isSame) return bringToSlot(context, plan, due, undefined)
    // Passes boundaries that change nothing.
    await recordHeld(db, strategy, { held: { ...held, groups: [...wanted] }, next_ms: nextAt })
    return context.now
  }

  return (context: StrategyContext): Promise<number> =>
    context.strategy.plan.kind === 'sequence' ? checkTimetable(context) : checkIndex(context)
}
