import type { BalanceMode } from '@isotherm/contract/balancing/campaign'
import type { SequencePlan, StrategyIndex } from '@isotherm/contract/balancing/strategies'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { requireRound } from '../../campaign/run/require-orders.ts'
import type { Place } from '../../loop/place.ts'
import { type HeldSlot, hasLowered, isBrought, isColder, movesLeft, toHeld } from '../storage/held-slot.ts'
import { beginCampaign, findTaker, noteHeld, noteOutcome } from '../storage/strategy-changes.pg.ts'
import { nextAllowed, nextLook } from '../timeline/hours.ts'
import { asPlanned, isBeyond, toIndex } from '../timeline/indices.ts'
import { toMode, toSlotMode, toSlowTrimMode } from '../timeline/modes.ts'
import { isSameLevel } from '../timeline/timeline.ts'
import { toHindrance } from './hindrance.ts'
import { toRetryAt } from './retry.ts'
import { findSequenceDue, type SequenceDue } from './sequence-due.ts'
import { type Hindrance, RETRY_MS, type StrategyLookNeeds, type StrategySight } from './tick-needs.ts'

/** While groups are to be cold the weather is looked at this often, ms. */
const WEATHER_MS = HOUR_MS

/** What a strategy without a campaign does: looks whether one is due, and begins it. Answers when to look again, Unix ms. */
export function createBegin(needs: StrategyLookNeeds) {
  const { db, planner } = needs

  async function note(
    { strategy, acting, now }: StrategySight,
    outcome: Hindrance,
    nextAt: number,
    held?: HeldSlot,
  ): Promise<number> {
    const changes = { outcome: { ...outcome, at: now }, next_ms: nextAt }
    await noteOutcome(
      db,
      strategy,
      undefined,
      held === undefined ? changes : { ...changes, held },
      acting.operation,
    )
    return nextAt
  }

  /** Notes why it could not be done; tried again in time for what is due by the clock at `dueAt`. */
  const noteHindrance = (
    sight: StrategySight,
    hindrance: Hindrance,
    dueAt = Number.POSITIVE_INFINITY,
  ): Promise<number> => {
    const { strategy, now } = sight
    const retryAt = toRetryAt(strategy.last, hindrance, now)
    return note(sight, hindrance, dueAt > now ? Math.min(dueAt, retryAt) : retryAt)
  }

  /** The place of the strategy, if its loop is free and still the one it was made for. */
  async function findFree({ strategy }: StrategySight): Promise<Place | Hindrance> {
    const taker = await findTaker(db, strategy.stationNodeId)
    if (taker !== undefined) return { kind: 'loop-taken', campaign: taker }
    try {
      const place = await planner.findPlace(strategy.node)
      return place.stationNodeId === strategy.stationNodeId
        ? place
        : { kind: 'refused', code: 'balance.no-station', params: { node: place.nodeName } }
    } catch (error) {
      return toHindrance(error)
    }
  }

  /** Stores a campaign that commands would take; what they would refuse is only noted. */
  async function begin(
    sight: StrategySight,
    planned: Omit<Parameters<typeof beginCampaign>[2], 'outcome'>,
    index: StrategyIndex | undefined,
  ): Promise<number> {
    const { strategy, acting, now } = sight
    await requireRound(needs.commands, acting.caller, planned.round)
    const outcome = { kind: 'begun', at: now, ...(index ? { index } : {}) } as const
    await beginCampaign(db, strategy, { ...planned, outcome }, acting.operation)
    return now
  }

  /** Within the dead band: leads valves back that have drifted, where that is asked for. */
  async function trimSlowly(
    sight: StrategySight,
    place: Place,
    index: StrategyIndex,
    nextAt: number,
  ): Promise<number> {
    const mode = toSlowTrimMode(sight.strategy.plan)
    const round = mode && (await planner.plan(place, mode))
    if (!round || round.steps.length === 0) return note(sight, { kind: 'within', index }, nextAt)
    return begin(sight, { place, mode, round, due: null }, index)
  }

  /** Plans, and begins what moves something and is asked for. */
  async function balance(
    sight: StrategySight,
    place: Place,
    mode: BalanceMode,
    nextAt: number,
  ): Promise<number> {
    const { strategy } = sight
    try {
      const round = await planner.plan(place, mode)
      const index = toIndex(strategy.plan, mode, asPlanned(round))
      if (!index) return await noteHindrance(sight, { kind: 'not-measured' })
      if (!isBeyond(index)) return await trimSlowly(sight, place, index, nextAt)
      if (round.steps.length === 0) return await note(sight, { kind: 'nothing-to-move', index }, nextAt)
      return await begin(sight, { place, mode, round, due: null }, index)
    } catch (error) {
      return noteHindrance(sight, toHindrance(error))
    }
  }

  async function lookNowAndThen(sight: StrategySight): Promise<number> {
    const { strategy, zone, now } = sight
    const { plan, nextAt } = strategy
    if (plan.kind === 'sequence') throw new Error('a sequence goes by the clock')
    const at = Math.max(nextAt ?? now, nextAllowed(plan.hours, zone, now))
    if (at > now) {
      if (at !== nextAt) await noteHeld(db, strategy, { next_ms: at })
      return at
    }
    const place = await findFree(sight)
    if ('kind' in place) return noteHindrance(sight, place)
    const outdoorC = plan.kind === 'energy' ? (await needs.readSight(place)).outdoorC : undefined
    const mode = toMode(plan, outdoorC)
    if (!mode) {
      const params = { node: place.nodeName }
      return noteHindrance(sight, { kind: 'not-measured', code: 'balance.no-weather', params })
    }
    return balance(sight, place, mode, nextLook(plan, zone, now))
  }

  /** Solves the slot of now; `again` are those of a slot that was solved that were left, for whose sake alone it is begun. */
  async function bring(
    sight: StrategySight,
    plan: SequencePlan,
    { wanted, nextAt, lookAt }: SequenceDue,
    again: HeldSlot | undefined,
  ): Promise<number> {
    const { now } = sight
    const place = await findFree(sight)
    if ('kind' in place) return again ? lookAt : noteHindrance(sight, place, lookAt)
    try {
      const mode = toSlotMode(plan, wanted)
      const { outdoorC } = await needs.readSight(place)
      const round = await planner.plan(place, mode)
      const due = toHeld(wanted, outdoorC, round)
      if (again && !movesLeft(again, round)) return lookAt
      const index = toIndex(plan, mode, asPlanned(round))
      if (round.steps.length > 0) return await begin(sight, { place, mode, round, due }, index)
      await note(sight, { kind: 'nothing-to-move', ...(index ? { index } : {}) }, nextAt, due)
      return now
    } catch (error) {
      return noteHindrance(sight, toHindrance(error), lookAt)
    }
  }

  /** Goes on with a slot that was solved: when it became colder, and for who was left of it. */
  async function keep(sight: StrategySight, plan: SequencePlan, due: SequenceDue, held: HeldSlot) {
    const { strategy, now } = sight
    if (strategy.nextAt !== due.nextAt) await noteHeld(db, strategy, { next_ms: due.nextAt })
    const watched = hasLowered(held) ? { ...due, lookAt: Math.min(due.lookAt, now + WEATHER_MS) } : due
    if (hasLowered(held) && isColder(held, await findOutdoor(strategy.node)))
      return bring(sight, plan, watched, undefined)
    if (held.left.length === 0) return watched.lookAt
    return bring(sight, plan, { ...watched, lookAt: Math.min(watched.lookAt, now + RETRY_MS) }, held)
  }

  /** Outside now, °C; undefined where nobody measures, or nothing heats any more. */
  async function findOutdoor(node: string): Promise<number | undefined> {
    try {
      return (await needs.readSight(await planner.findPlace(node))).outdoorC
    } catch (error) {
      toHindrance(error)
      return undefined
    }
  }

  async function goByClock(sight: StrategySight): Promise<number> {
    const { strategy } = sight
    const { plan, held } = strategy
    if (plan.kind !== 'sequence') throw new Error('only a sequence goes by the clock')
    const due = await findSequenceDue(needs, sight, plan)
    const { wanted, nextAt } = due
    if (held && isBrought(held, wanted)) return keep(sight, plan, due, held)
    const isSame = held?.groups.every(({ level }, group) => isSameLevel(level, wanted[group]?.level ?? level))
    if (!held || !isSame) return bring(sight, plan, due, undefined)
    // Over borders that change nothing.
    await noteHeld(db, strategy, { held: { ...held, groups: [...wanted] }, next_ms: nextAt })
    return sight.now
  }

  return (sight: StrategySight): Promise<number> =>
    sight.strategy.plan.kind === 'sequence' ? goByClock(sight) : lookNowAndThen(sight)
}
