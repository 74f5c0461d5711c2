import type { StrategyIndex, StrategyOutcome } from '@isotherm/contract/balancing/strategies'
import { requireRound } from '../../campaign/run/require-orders.ts'
import { putPlan } from '../../campaign/storage/campaign-changes.pg.ts'
import { getPlace } from '../../campaign/storage/campaign-queries.pg.ts'
import { getRound } from '../../campaign/storage/campaign-rounds.pg.ts'
import type {
  CampaignMove,
  ExtraWrites,
  StoredCampaign,
  StoredRound,
} from '../../campaign/storage/campaign-types.ts'
import { UnreadablePlan } from '../../campaign/storage/stored-plan.ts'
import { isSlowTrim } from '../../plan/trim-base.ts'
import { isBrought } from '../storage/held-slot.ts'
import { lockLeased, recordOutcome } from '../storage/strategy-changes.pg.ts'
import { nextCheck } from '../timeline/hours.ts'
import { isBeyond, toIndex } from '../timeline/indices.ts'
import { toHindrance } from './hindrance.ts'
import { findSequenceDue } from './sequence-due.ts'
import {
  type Hindrance,
  RETRY_MS,
  type StrategyContext,
  type StrategyTickNeeds,
  WATCH_MS,
} from './tick-needs.ts'

/** Tick of a strategy with a campaign that it started; returns when the next tick is due, Unix ms. */
export function createWatch(needs: StrategyTickNeeds) {
  const { db, planner, commands, findCampaign, checkApproval, moveCampaign } = needs

  const toMove = ({ acting, now }: StrategyContext, { id, version }: StoredCampaign): CampaignMove => ({
    id,
    version,
    at: now,
    accountId: acting.caller.accountId,
    account: acting.caller.account,
  })

  /** If somebody paused or ended the strategy in the meantime, nothing is done to its campaign. */
  const checkLease =
    ({ strategy }: StrategyContext): ExtraWrites =>
    (transaction) =>
      lockLeased(transaction, strategy)

  /** Ends with the campaign; `event` decides whether the strategy continues. */
  async function leave(
    context: StrategyContext,
    event: 'done' | 'halt' | undefined,
    outcome: Omit<StrategyOutcome, 'at'>,
  ): Promise<number> {
    const { strategy, acting, now, zone } = context
    const { plan, due } = strategy
    const isDone = event === 'done'
    const next = plan.kind === 'sequence' ? now : nextCheck(plan, zone, now)
    const nextAt = isDone ? next : now + RETRY_MS
    await recordOutcome(
      db,
      strategy,
      event,
      {
        outcome: { ...outcome, at: now },
        campaign_id: null,
        due: null,
        next_ms: nextAt,
        ...(isDone && plan.kind === 'sequence' ? { held: due } : {}),
      },
      acting.operation,
    )
    return nextAt
  }

  async function discard(
    context: StrategyContext,
    campaign: StoredCampaign,
    why: Hindrance,
  ): Promise<number> {
    await moveCampaign('discard', toMove(context, campaign), context.acting.operation, checkLease(context))
    return leave(context, undefined, { ...why, campaign: campaign.id })
  }

  /**
   * Whether a draft belongs to a slot that is over, or to a changed timetable: servers were down, or the strategy was
   * paused.
   */
  async function isOver(context: StrategyContext): Promise<boolean> {
    const { plan, due } = context.strategy
    if (plan.kind !== 'sequence') return false
    if (due === null) return true
    const { wanted } = await findSequenceDue(
      needs,
      { ...context, strategy: { ...context.strategy, held: due } },
      plan,
    )
    return !isBrought(due, wanted)
  }

  async function approve(context: StrategyContext, campaign: StoredCampaign): Promise<number> {
    const { acting } = context
    if (await isOver(context)) {
      await discard(context, campaign, { kind: 'refused', code: 'entity.stale' })
      return context.now
    }
    try {
      const move = toMove(context, campaign)
      await checkApproval(move)
      const { plan } = await getRound(db, campaign.id)
      await requireRound(commands, acting.caller, plan)
      await moveCampaign('approve', move, acting.operation, checkLease(context))
      return context.now + WATCH_MS
    } catch (error) {
      return discard(context, campaign, toHindrance(error))
    }
  }

  /** undefined for a plan in the format of another server version. */
  async function findRound(id: number): Promise<StoredRound | undefined> {
    try {
      return await getRound(db, id)
    } catch (error) {
      if (error instanceof UnreadablePlan) return undefined
      throw error
    }
  }

  /** The index after the newest round. */
  async function judge({ strategy }: StrategyContext, { id, mode }: StoredCampaign) {
    const round = await findRound(id)
    if (!round) return { index: undefined, plan: undefined, verification: undefined }
    const { plan, verification } = round
    const after = new Map(verification?.members.map(({ deviceId, after: seen }) => [deviceId, seen]))
    const flows = plan.members.flatMap(({ deviceId, excluded, targetFlowM3H }) =>
      excluded ? [] : [{ flowM3H: after.get(deviceId)?.flowM3H, targetM3H: targetFlowM3H }],
    )
    const index = verification && toIndex(strategy.plan, mode, { indices: verification.indices, flows })
    return { ...round, index }
  }

  const accept = async (
    context: StrategyContext,
    campaign: StoredCampaign,
    index: StrategyIndex | undefined,
  ): Promise<number> => {
    await moveCampaign('accept', toMove(context, campaign), context.acting.operation, checkLease(context))
    return leave(context, 'done', { kind: 'done', campaign: campaign.id, ...(index ? { index } : {}) })
  }

  /**
   * Another round while the index is beyond its dead band and rounds are left; otherwise the result is accepted.
   */
  async function trimOrAccept(context: StrategyContext, campaign: StoredCampaign): Promise<number> {
    const { plan: wanted } = context.strategy
    const { index, plan, verification } = await judge(context, campaign)
    const trims = wanted.kind === 'sequence' || isSlowTrim(campaign.mode) ? 0 : wanted.trims
    if (!plan || !verification || !index || !isBeyond(index) || campaign.round > trims)
      return accept(context, campaign, index)
    try {
      const place = await getPlace(db, campaign.id)
      const next = await planner.trim(place, campaign.mode, plan, verification)
      if (next.steps.length === 0) return await accept(context, campaign, index)
      await requireRound(commands, context.acting.caller, next)
      const change = { move: toMove(context, campaign), plan: next, extraWrites: checkLease(context) }
      await putPlan(db, 'trim', change, context.acting.operation)
      return context.now + WATCH_MS
    } catch (error) {
      // The result stays; the next tick finds out why it could not be improved.
      toHindrance(error)
      return accept(context, campaign, index)
    }
  }

  return async (context: StrategyContext, id: number): Promise<number> => {
    const campaign = await findCampaign(id)
    if (!campaign) return leave(context, undefined, { kind: 'refused', code: 'campaign.not-found' })
    switch (campaign.state) {
      case 'draft':
        return approve(context, campaign)
      case 'verified':
        return trimOrAccept(context, campaign)
      case 'accepted': {
        const { index } = await judge(context, campaign)
        return leave(context, 'done', { kind: 'done', campaign: id, ...(index ? { index } : {}) })
      }
      case 'discarded':
        return leave(context, undefined, { kind: 'refused', campaign: id, code: 'campaign.not-now' })
      case 'aborted':
        return leave(context, 'halt', {
          kind: 'aborted',
          campaign: id,
          ...(campaign.abort ? { abort: campaign.abort } : {}),
        })
      case 'rolling-back':
      case 'rolled-back':
        return leave(context, 'halt', { kind: 'turned-back', campaign: id })
      default:
        return context.now + WATCH_MS
    }
  }
}
