import type { SupplyRules } from '@isotherm/contract/balancing/strategies'
import { AppError } from '../../../../platform/app-error.ts'
import { reader } from '../../../../platform/caller-of-account.ts'
import type { Call } from '../../../../platform/http/call.ts'
import { toOperation } from '../../campaign/run/act-for.ts'
import type { LeasedRows } from '../../campaign/storage/loop-rows.pg.ts'
import type { Place } from '../../loop/place.ts'
import { findLoopCampaign, type LeasedStrategy } from '../storage/strategy-changes.pg.ts'
import { isRestoredByOther, putSupply, recordSupply } from '../storage/supply-changes.pg.ts'
import { hasToRestore, type SupplyOrder, type SupplyState } from '../storage/supply-state.ts'
import { planHead } from '../timeline/plan-head.ts'
import {
  type OtherOrder,
  planSupply,
  type SupplyPlan,
  toEarlier,
  toSupplyPeriodMs,
} from '../timeline/plan-supply.ts'
import type { StrategyTickNeeds } from './tick-needs.ts'

type ApplyNeeds = Pick<StrategyTickNeeds, 'db' | 'planner' | 'supply'>

/** A strategy that decides on the supply temperature, and for whom it acts. */
export interface SupplyContext {
  readonly strategy: LeasedStrategy
  readonly rows: LeasedRows
  readonly acting: Pick<Call, 'caller' | 'operation'>
  /** For whom it restores the original offset: that needs no permission. */
  readonly restoring: Pick<Call, 'caller' | 'operation'>
  /** undefined: the original offset is restored. */
  readonly rules: SupplyRules | undefined
  readonly now: number
}

/**
 * A call that restores an offset in the name of the account of a strategy: heat must return even if the account has lost
 * its permissions.
 */
export function toRestoring(strategy: LeasedStrategy, now: number): Pick<Call, 'caller' | 'operation'> {
  const { account, accountId, companyId } = strategy
  const mandate = { ...strategy, mode: strategy.plan, operation: 'strategy' } as const
  return {
    caller: { ...reader, account, accountId: accountId ?? reader.accountId },
    operation: toOperation(mandate, companyId, now),
  }
}

/** A restored offset depends on no room. */
const unreadRooms = {
  roomsC: new Float64Array(0),
  measuredShare: 0,
  fresh: { roomsC: new Float64Array(0), share: 0 },
  driftK: Number.NaN,
  restS: 0,
  waitS: 0,
  differenceK: Number.NaN,
  outdoorC: Number.NaN,
  valves: [],
}

/** Errors of a node that no longer belongs to the station of its strategy. */
const movedCodes: ReadonlySet<string> = new Set(['balance.no-station', 'node.not-found'])

/** The place of the strategy, or the error that says that its node no longer belongs to its station. */
async function findOwnPlace({ planner }: ApplyNeeds, strategy: LeasedStrategy): Promise<Place | AppError> {
  try {
    const place = await planner.findPlace(strategy.node)
    if (place.stationNodeId === strategy.stationNodeId) return place
    return new AppError('balance.no-station', { node: place.nodeName })
  } catch (error) {
    if (error instanceof AppError && movedCodes.has(error.code)) return error
    throw error
  }
}

/** The newest order of somebody else since the last own one. */
async function findOther(
  { supply }: ApplyNeeds,
  deviceId: number,
  own: SupplyOrder | undefined,
): Promise<OtherOrder | undefined> {
  const last = await supply.supplies.findLastOrder(deviceId)
  if (last === undefined || own === undefined) return last
  return own.batch !== undefined && last.batchId > own.batch ? last : undefined
}

/**
 * Decides on the supply temperature of the loop, orders a changed offset, and stores both in one transaction, so that a
 * kill repeats neither. A strategy whose node moved to another station restores its own. Throws LostStrategy.
 */
export async function applySupply(
  needs: ApplyNeeds,
  { strategy, rows, now, ...context }: SupplyContext,
): Promise<SupplyState> {
  const { db, supply } = needs
  const timeFactor = supply.timeFactor() ?? 1
  const nextAt = now + toSupplyPeriodMs(timeFactor)
  const before = strategy.supply
  const former = {
    ...(before?.originalK === undefined ? {} : { originalK: before.originalK }),
    ...(before?.order === undefined ? {} : { order: before.order }),
    ...(before?.head === undefined ? {} : { head: before.head }),
    ...(before?.firstKpa === undefined ? {} : { firstKpa: before.firstKpa }),
  }
  try {
    if (context.rules && before?.originalK === undefined && (await isRestoredByOther(db, strategy))) {
      // Its offset is not the original one yet.
      const state: SupplyState = {
        ...former,
        check: { at: now, kind: 'hold', reason: 'not-at-rest' },
        nextAt,
      }
      await recordSupply(db, strategy, rows, state)
      return state
    }
    const place = context.rules && (await findOwnPlace(needs, strategy))
    const hasMoved = place instanceof AppError
    if (hasMoved && !hasToRestore(before)) throw place
    const rules = hasMoved ? undefined : context.rules
    const rooms =
      place === undefined || hasMoved
        ? { ...unreadRooms, ...(await supply.readStation(strategy)) }
        : await supply.readRooms(place)
    const limits = await supply.supplies.findLimits(rooms.deviceId)
    const other = await findOther(needs, rooms.deviceId, before?.order)
    const stop = hasMoved ? ('moved' as const) : ('stopped' as const)
    const input = { rules, stop, limits, state: before, other, rooms, now, timeFactor }
    const supplyPlan = planSupply(input)
    const headInput = {
      ...input,
      pump: await supply.pumps.findLimits(rooms.deviceId),
      campaign: (await findLoopCampaign(db, strategy.stationNodeId))?.state,
    }
    const { orderKpa, ...plan } = planHead(supplyPlan, headInput)
    const call = rules ? context.acting : context.restoring
    const station = {
      deviceId: rooms.deviceId,
      reason: `strategy ${strategy.id}`,
      priority: 'balancing',
    } as const
    const orderHead = async (decided: SupplyPlan, headKpa: number): Promise<SupplyState> => {
      const state: SupplyState = { ...decided, ...(former.order && { order: former.order }), nextAt }
      await supply.pumps.setHead(call, { ...station, headKpa }, (transaction) =>
        putSupply(transaction, strategy, rows, { state, isOrder: true }),
      )
      return state
    }
    if (orderKpa !== undefined) return await orderHead(plan, orderKpa)
    const { fromK, toK } = plan.check
    // Advice has an order of its own, so that the next one waits for rooms too.
    const advice =
      plan.check.changeK === undefined ? former.order : { at: now, fromK: 0, toK: plan.check.changeK }
    if (fromK === undefined || toK === undefined) {
      const state: SupplyState = { ...plan, nextAt, ...(advice === undefined ? {} : { order: advice }) }
      await recordSupply(db, strategy, rows, state)
      return state
    }
    const earlierK = before?.originalK === undefined ? [] : toEarlier(before.order, rooms.offsetK ?? fromK)
    const toState = (batch: string): SupplyState => ({
      ...plan,
      nextAt,
      order: {
        at: now,
        fromK,
        toK,
        earlierK,
        ...(plan.check.reason === 'less-flow' ? { isForFlow: true } : {}),
        batch,
      },
    })
    try {
      const { batch } = await supply.supplies.setOffset(
        call,
        { ...station, offsetK: toK },
        (transaction, batchId) =>
          putSupply(transaction, strategy, rows, { state: toState(batchId), isOrder: true }),
      )
      return toState(batch.id)
    } catch (error) {
      // Heat must return by the head then.
      const { orderKpa: headKpa, ...withHead } = planHead(supplyPlan, { ...headInput, isOffsetRefused: true })
      if (!(error instanceof AppError) || headKpa === undefined) throw error
      return await orderHead(withHead, headKpa)
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, params } = error
    const check = { at: now, kind: 'hold', reason: 'refused', code, params: { ...params } } as const
    const state: SupplyState = { ...former, check, nextAt }
    await recordSupply(db, strategy, rows, state)
    return state
  }
}
