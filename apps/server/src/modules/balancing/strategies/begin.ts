import type { BalanceMode } from '@isotherm/contract/balancing'
import type { Place } from '../planner.ts'
import { nextAllowed, nextLook } from './hours.ts'
import { asPlanned, isBeyond, toIndex } from './indices.ts'
import { type Hindrance, RETRY_MS, type StrategyLookNeeds, type StrategySight } from './look-needs.ts'
import { toMode, toSlotMode } from './modes.ts'
import { toHindrance } from './plan-or-hindrance.ts'
import { beginCampaign, findTaker, noteHeld, noteOutcome } from './run-store.pg.ts'
import { findSequenceDue } from './sequence-due.ts'
import { isSameLevel } from './timeline.ts'

/** What a strategy without a campaign does: looks whether one is due, and begins it. Answers when to look again, Unix ms. */
export function createBegin(needs: StrategyLookNeeds) {
  const { db, planner } = needs

  async function note(
    { strategy, acting, now }: StrategySight,
    outcome: Hindrance,
    nextAt: number,
    held?: Parameters<typeof noteOutcome>[3]['held'],
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

  /** Plans, and begins what moves something and is asked for. */
  async function balance(
    sight: StrategySight,
    place: Place,
    mode: BalanceMode,
    { due, nextAt }: { readonly due: Parameters<typeof beginCampaign>[2]['due']; readonly nextAt: number },
  ): Promise<number> {
    const { strategy, acting, now } = sight
    try {
      const round = await planner.plan(place, mode)
      const index = toIndex(strategy.plan, mode, asPlanned(round))
      const seen = index ? { index } : {}
      if (strategy.plan.kind !== 'sequence' && index === undefined)
        return await note(sight, { kind: 'not-measured' }, now + RETRY_MS)
      if (index && !isBeyond(index)) return await note(sight, { kind: 'within', ...seen }, nextAt)
      if (round.steps.length === 0) {
        await note(sight, { kind: 'nothing-to-move', ...seen }, nextAt, due ?? undefined)
        // A sequence looks for its next border anew.
        return due === null ? nextAt : now
      }
      await beginCampaign(
        db,
        strategy,
        { place, mode, round, due, outcome: { kind: 'begun', at: now, ...seen } },
        acting.operation,
      )
      return now
    } catch (error) {
      return note(sight, toHindrance(error), now + RETRY_MS)
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
    if ('kind' in place) return note(sight, place, now + RETRY_MS)
    const outdoorC = plan.kind === 'energy' ? (await needs.readSight(place)).outdoorC : undefined
    const mode = toMode(plan, outdoorC)
    if (!mode) return note(sight, { kind: 'not-measured' }, now + RETRY_MS)
    return balance(sight, place, mode, { due: null, nextAt: nextLook(plan, zone, now) })
  }

  async function goByClock(sight: StrategySight): Promise<number> {
    const { strategy, now } = sight
    const { plan, held } = strategy
    if (plan.kind !== 'sequence') throw new Error('only a sequence goes by the clock')
    const { wanted, nextAt, lookAt } = await findSequenceDue(needs, sight, plan)
    const isThere = held !== null && wanted.every((border, group) => held[group]?.at === border.at)
    if (isThere) {
      if (strategy.nextAt !== nextAt) await noteHeld(db, strategy, { next_ms: nextAt })
      return lookAt
    }
    const isSame = held?.every(({ level }, group) => isSameLevel(level, wanted[group]?.level ?? level))
    if (isSame) {
      await noteHeld(db, strategy, { held: wanted, next_ms: nextAt })
      return lookAt
    }
    const place = await findFree(sight)
    if ('kind' in place) return note(sight, place, now + RETRY_MS)
    return balance(sight, place, toSlotMode(plan, wanted), { due: wanted, nextAt })
  }

  return (sight: StrategySight): Promise<number> =>
    sight.strategy.plan.kind === 'sequence' ? goByClock(sight) : lookNowAndThen(sight)
}
