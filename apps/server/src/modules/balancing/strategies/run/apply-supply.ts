import type { SupplyRules } from '@isotherm/contract/balancing/strategies'
import { AppError } from '../../../../platform/app-error.ts'
import type { Call } from '../../../../platform/http/call.ts'
import type { LeasedRows } from '../../campaign/storage/loop-rows.pg.ts'
import type { Place } from '../../loop/place.ts'
import type { Planner } from '../../plan/planner.ts'
import type { HeldStrategy } from '../storage/strategy-changes.pg.ts'
import { isRestoredByOther, putSupply, recordSupply } from '../storage/supply-changes.pg.ts'
import type { SupplyState } from '../storage/supply-state.ts'
import { planSupply, toSupplyPeriodMs } from '../timeline/plan-supply.ts'
import type { StrategyTickNeeds } from './tick-needs.ts'

/** A strategy that decides on the supply temperature, and for whom it acts. */
export interface SupplyContext {
  readonly strategy: HeldStrategy
  readonly rows: LeasedRows
  readonly acting: Pick<Call, 'caller' | 'operation'>
  /** undefined: the original offset is restored. */
  readonly rules: SupplyRules | undefined
  readonly now: number
}

/** A restored offset depends on no room. */
const unreadRooms = {
  roomsC: new Float64Array(0),
  measuredShare: 0,
  driftK: Number.NaN,
  restS: 0,
  waitS: 0,
}

/** Throws balance.no-station if the node of the strategy belongs to another station by now. */
async function findOwnPlace(planner: Pick<Planner, 'findPlace'>, strategy: HeldStrategy): Promise<Place> {
  const place = await planner.findPlace(strategy.node)
  if (place.stationNodeId !== strategy.stationNodeId)
    throw new AppError('balance.no-station', { node: place.nodeName })
  return place
}

/**
 * Decides on the supply temperature of the loop, orders a changed offset, and stores both in one transaction, so that a
 * kill repeats neither. Throws LostStrategy.
 */
export async function applySupply(
  { db, planner, supply }: Pick<StrategyTickNeeds, 'db' | 'planner' | 'supply'>,
  { strategy, rows, acting, rules, now }: SupplyContext,
): Promise<SupplyState> {
  const factor = supply.timeFactor() ?? 1
  const nextAt = now + toSupplyPeriodMs(factor)
  const before = strategy.supply
  const former = {
    ...(before?.originalK === undefined ? {} : { originalK: before.originalK }),
    ...(before?.order === undefined ? {} : { order: before.order }),
  }
  try {
    if (rules && before?.originalK === undefined && (await isRestoredByOther(db, strategy))) {
      // Its offset is not the original one yet.
      const state: SupplyState = {
        ...former,
        check: { at: now, kind: 'hold', reason: 'not-at-rest' },
        nextAt,
      }
      await recordSupply(db, strategy, rows, state)
      return state
    }
    const rooms = rules
      ? await supply.readRooms(await findOwnPlace(planner, strategy))
      : { ...unreadRooms, ...(await supply.readStation(strategy)) }
    const limits = await supply.supplies.findLimits(rooms.deviceId)
    const plan = planSupply({ rules, limits, state: before, rooms, now, factor })
    const { fromK, toK } = plan.check
    // Advice has an order of its own, so that the next one waits for rooms too.
    const advice =
      plan.check.changeK === undefined ? former.order : { at: now, fromK: 0, toK: plan.check.changeK }
    if (fromK === undefined || toK === undefined) {
      const state: SupplyState = { ...plan, nextAt, ...(advice === undefined ? {} : { order: advice }) }
      await recordSupply(db, strategy, rows, state)
      return state
    }
    const state: SupplyState = { ...plan, nextAt, order: { at: now, fromK, toK } }
    const order = { deviceId: rooms.deviceId, offsetK: toK, reason: `strategy ${strategy.id}` }
    await supply.supplies.setOffset(acting, { ...order, priority: 'balancing' }, (transaction) =>
      putSupply(transaction, strategy, rows, { state, isOrder: true }),
    )
    return state
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, params } = error
    const check = { at: now, kind: 'hold', reason: 'refused', code, params: { ...params } } as const
    const state: SupplyState = { ...former, check, nextAt }
    await recordSupply(db, strategy, rows, state)
    return state
  }
}
