import type { StrategyIndex, StrategyOutcome } from '@isotherm/contract/balancing/strategies'
import { scopeOfEverything } from '../../../../platform/scope/scope.ts'
import { requireRound } from '../../campaign/run/require-orders.ts'
import type {
  Beside,
  CampaignMove,
  StoredCampaign,
  StoredRound,
} from '../../campaign/storage/campaign-types.ts'
import { UnreadablePlan } from '../../campaign/storage/stored-plan.ts'
import { isSlowTrim } from '../../plan/trim-base.ts'
import { isBrought } from '../storage/held-slot.ts'
import { holdStrategy, noteOutcome } from '../storage/strategy-changes.pg.ts'
import { nextLook } from '../timeline/hours.ts'
import { isBeyond, toIndex } from '../timeline/indices.ts'
import { toHindrance } from './hindrance.ts'
import { findSequenceDue } from './sequence-due.ts'
import {
  FOLLOW_MS,
  type Hindrance,
  RETRY_MS,
  type StrategyLookNeeds,
  type StrategySight,
} from './tick-needs.ts'

/** How a strategy goes on with the campaign that it began; answers when to look again, Unix ms. */
export function createFollow(needs: StrategyLookNeeds) {
  const { db, campaigns, planner, commands } = needs

  const toMove = ({ acting, now }: StrategySight, { id, version }: StoredCampaign): CampaignMove => ({
    id,
    version,
    at: now,
    accountId: acting.caller.accountId,
    account: acting.caller.account,
  })

  /** Whoever paused or ended the strategy meanwhile is not overrun: nothing is done to its campaign then. */
  const holding =
    ({ strategy }: StrategySight): Beside =>
    (transaction) =>
      holdStrategy(transaction, strategy)

  /** Ends with the campaign; `event` says whether the strategy goes on. */
  async function leave(
    sight: StrategySight,
    event: 'done' | 'halt' | undefined,
    outcome: Omit<StrategyOutcome, 'at'>,
  ): Promise<number> {
    const { strategy, acting, now, zone } = sight
    const { plan, due } = strategy
    const isDone = event === 'done'
    const next = plan.kind === 'sequence' ? now : nextLook(plan, zone, now)
    const nextAt = isDone ? next : now + RETRY_MS
    await noteOutcome(
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

  async function drop(sight: StrategySight, campaign: StoredCampaign, why: Hindrance): Promise<number> {
    await campaigns.move('discard', toMove(sight, campaign), sight.acting.operation, holding(sight))
    return leave(sight, undefined, { ...why, campaign: campaign.id })
  }

  /** Whether a draft is of a slot that is over, or of a timetable that was changed: servers were down, or it was paused. */
  async function isOver(sight: StrategySight): Promise<boolean> {
    const { plan, due } = sight.strategy
    if (plan.kind !== 'sequence') return false
    if (due === null) return true
    const { wanted } = await findSequenceDue(
      needs,
      { ...sight, strategy: { ...sight.strategy, held: due } },
      plan,
    )
    return !isBrought(due, wanted)
  }

  async function approve(sight: StrategySight, campaign: StoredCampaign): Promise<number> {
    const { acting } = sight
    if (await isOver(sight)) {
      await drop(sight, campaign, { kind: 'refused', code: 'entity.stale' })
      return sight.now
    }
    try {
      const move = toMove(sight, campaign)
      await campaigns.check('approve', move)
      const { plan } = await campaigns.getRound(campaign.id)
      await requireRound(commands, acting.caller, plan)
      await campaigns.move('approve', move, acting.operation, holding(sight))
      return sight.now + FOLLOW_MS
    } catch (error) {
      return drop(sight, campaign, toHindrance(error))
    }
  }

  /** undefined for one that another version of the server stored. */
  async function findRound(id: number): Promise<StoredRound | undefined> {
    try {
      return await campaigns.getRound(id)
    } catch (error) {
      if (error instanceof UnreadablePlan) return undefined
      throw error
    }
  }

  /** The index as the last round left it. */
  async function judge({ strategy }: StrategySight, { id, mode }: StoredCampaign) {
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
    sight: StrategySight,
    campaign: StoredCampaign,
    index: StrategyIndex | undefined,
  ): Promise<number> => {
    await campaigns.move('accept', toMove(sight, campaign), sight.acting.operation, holding(sight))
    return leave(sight, 'done', { kind: 'done', campaign: campaign.id, ...(index ? { index } : {}) })
  }

  /** Once more while it is beyond its dead band and rounds are left, and as it is otherwise. */
  async function end(sight: StrategySight, campaign: StoredCampaign): Promise<number> {
    const { plan: wanted } = sight.strategy
    const { index, plan, verification } = await judge(sight, campaign)
    const trims = wanted.kind === 'sequence' || isSlowTrim(campaign.mode) ? 0 : wanted.trims
    if (!plan || !verification || !index || !isBeyond(index) || campaign.round > trims)
      return accept(sight, campaign, index)
    try {
      const place = await campaigns.getPlace(campaign.id)
      const next = await planner.trim(place, campaign.mode, plan, verification)
      if (next.steps.length === 0) return await accept(sight, campaign, index)
      await requireRound(commands, sight.acting.caller, next)
      await campaigns.putPlan('trim', toMove(sight, campaign), next, sight.acting.operation, holding(sight))
      return sight.now + FOLLOW_MS
    } catch (error) {
      // What it reached stands; the next look finds out why it could not be better.
      toHindrance(error)
      return accept(sight, campaign, index)
    }
  }

  return async (sight: StrategySight, id: number): Promise<number> => {
    const { rows } = await campaigns.list(scopeOfEverything, { ids: [id], limiter: { page: 1, size: 1 } })
    const [campaign] = rows
    if (!campaign) return leave(sight, undefined, { kind: 'refused', code: 'campaign.not-found' })
    switch (campaign.state) {
      case 'draft':
        return approve(sight, campaign)
      case 'verified':
        return end(sight, campaign)
      case 'accepted': {
        const { index } = await judge(sight, campaign)
        return leave(sight, 'done', { kind: 'done', campaign: id, ...(index ? { index } : {}) })
      }
      case 'discarded':
        return leave(sight, undefined, { kind: 'refused', campaign: id, code: 'campaign.not-now' })
      case 'aborted':
        return leave(sight, 'halt', {
          kind: 'aborted',
          campaign: id,
          ...(campaign.abort ? { abort: campaign.abort } : {}),
        })
      case 'rolling-back':
      case 'rolled-back':
        return leave(sight, 'halt', { kind: 'turned-back', campaign: id })
      default:
        return sight.now + FOLLOW_MS
    }
  }
}
