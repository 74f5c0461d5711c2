import { MAX_UNANSWERED } from '@isotherm/balancing/moves/wave-plan'
import { hasTooManyUnanswered } from '@isotherm/balancing/plan/find-abort'
import type { CampaignAbort } from '@isotherm/contract/balancing/campaign'
import type { FindAccess } from '../../../../platform/caller-of-account.ts'
import type { Clock } from '../../../../platform/clock.ts'
import type { Place } from '../../loop/place.ts'
import {
  endWave,
  type LeasedCampaign,
  type Outcome,
  proceed,
  readCampaign,
} from '../storage/campaign-changes.pg.ts'
import { getPlace } from '../storage/campaign-queries.pg.ts'
import { countCommands, getRound, listSteps, type StoredStep } from '../storage/campaign-rounds.pg.ts'
import { UnreadablePlan } from '../storage/stored-plan.ts'
import { putTakeBack, type TakeBack } from '../storage/take-back.pg.ts'
import { actFor, type Mandate, toOperation } from './act-for.ts'
import { findEasing, findTakeBack } from './find-take-back.ts'
import { type JudgeNeeds, judgeRound, judgeWave } from './judge.ts'
import { type SendNeeds, sendWave } from './send-wave.ts'
import { type WatchNeeds, watchWave } from './watch-wave.ts'

export interface TickNeeds extends SendNeeds, WatchNeeds, JudgeNeeds {
  readonly findAccess: FindAccess
  readonly clock: Clock
}

/**
 * Time between two ticks while commands are open, while readings are awaited, and while a round should have settled,
 * ms.
 */
const COMMANDS_MS = 2_000
const READINGS_MS = 5_000
const VERIFY_MS = 30_000
const NEVER = Number.MAX_SAFE_INTEGER
/**
 * Maximum time between two ticks while commands take long, ms: they are checked after a tenth of the time they have
 * taken so far.
 */
const LATEST_TICK_MS = 30_000

const toNextTick = ({ updatedAt }: LeasedCampaign, now: number): number =>
  now + Math.min(LATEST_TICK_MS, Math.max(COMMANDS_MS, Math.ceil((now - updatedAt) / 10)))

/** Context of one tick. */
interface TickContext {
  readonly campaign: LeasedCampaign
  readonly mandate: Mandate
  readonly place: Place
  /** Waves of the present round. */
  readonly steps: readonly StoredStep[]
  readonly now: number
}

/**
 * Advances a campaign: each tick does the one thing that is due and returns when the next one is, Unix ms. The effect
 * of a tick is stored completely or not at all, and the next one starts from what is stored, on any replica. Throws
 * LostCampaign if another replica has the campaign.
 */
export function createTick(needs: TickNeeds): (id: number, worker: string) => Promise<number> {
  const { db, clock } = needs

  async function apply(
    { campaign, mandate, place, now }: TickContext,
    event: Parameters<typeof proceed>[2],
    outcome: Omit<Outcome, 'at'> = {},
  ): Promise<number> {
    const operation = toOperation(mandate, place.companyId, now)
    await proceed(db, campaign, event, { at: now, ...outcome }, operation)
    return now
  }

  const abort = (
    context: TickContext,
    reason: CampaignAbort,
    outcome: Omit<Outcome, 'at'> = {},
  ): Promise<number> => apply(context, 'abort', { ...outcome, abort: reason })

  /** Takes back what the round over-closed, if that is why buildings starve; otherwise aborts. */
  async function abortOrTakeBack(
    context: TickContext,
    reason: CampaignAbort,
    { after, outcome }: { readonly after: number; readonly outcome?: Omit<Outcome, 'at'> },
  ): Promise<number> {
    const found = findTakeBack(reason, context.steps)
    return found.moves.length === 0 ? abort(context, reason, outcome) : takeBack(context, { ...found, after })
  }

  /** Adds a wave that takes valves back. */
  async function takeBack(
    { campaign, mandate, place, now }: TickContext,
    what: Omit<TakeBack, 'at'>,
  ): Promise<number> {
    const operation = toOperation(mandate, place.companyId, now)
    await putTakeBack(db, campaign, { ...what, at: now }, operation)
    return now
  }

  async function send(context: TickContext, step: StoredStep): Promise<number> {
    const { campaign, mandate, now } = context
    const acting = await actFor(needs.findAccess, mandate, now)
    if (!acting) return abort(context, { kind: 'refused', code: 'access.denied' })
    const wave = await sendWave(needs, context, step, acting)
    if (wave.kind === 'refused') return abort(context, wave)
    if (wave.kind === 'sent') return now + COMMANDS_MS
    await endWave(db, campaign, step, { at: now, unanswered: countCommands(step) })
    return now
  }

  async function execute(context: TickContext): Promise<number> {
    const { campaign, steps, now } = context
    const step = steps.find(({ state }) => state === 'waiting' || state === 'given')
    if (step?.state === 'waiting') return send(context, step)
    const watched = step && (await watchWave(needs, campaign, step, now))
    if (step && !watched) return toNextTick(campaign, now)
    // The plan is large, and only needed for a judgement.
    const { plan } = await getRound(db, campaign.id)
    if (!step || !watched) return apply(context, 'settle', { settledAt: now + plan.settleMs })
    const verdict = await judgeWave(needs, context, { plan, step, ...watched })
    if (verdict.kind === 'wait') return now + READINGS_MS
    if (verdict.kind === 'abort') return abortOrTakeBack(context, verdict.reason, { after: step.step })
    await endWave(db, campaign, step, { at: now, unanswered: watched.unanswered })
    return now
  }

  async function wait({ campaign, steps, now }: TickContext): Promise<number> {
    const step = steps.find(({ state }) => state === 'given')
    if (!step) return NEVER
    return (await watchWave(needs, campaign, step, now)) ? NEVER : toNextTick(campaign, now)
  }

  async function settle(context: TickContext): Promise<number> {
    const { campaign, now } = context
    const settledAt = campaign.settledAt ?? now
    if (now < settledAt) return settledAt
    const { plan } = await getRound(db, campaign.id)
    const verdict = await judgeRound(needs, context, { plan, settledAt, mode: campaign.mode })
    if (verdict.kind === 'wait') return now + VERIFY_MS
    const verified = verdict.verification ? { verification: verdict.verification } : {}
    if (verdict.kind === 'abort')
      return abortOrTakeBack(context, verdict.reason, { after: context.steps.length, outcome: verified })
    const moves = findEasing(verdict.verification?.overClosed ?? [], context.steps)
    if (moves.length > 0) return takeBack(context, { moves, dropped: [], after: context.steps.length })
    return apply(context, 'verified', verified)
  }

  /**
   * Maximum share of unanswered commands in a rollback: that of the plan, or the usual one if the plan has the format
   * of another server version.
   */
  async function findMaxUnansweredShare(id: number): Promise<number> {
    try {
      return (await getRound(db, id)).plan.maxUnansweredShare
    } catch (error) {
      if (error instanceof UnreadablePlan) return MAX_UNANSWERED
      throw error
    }
  }

  /** A rollback with too many unanswered commands fails and can be requested again. */
  async function endRollback(context: TickContext): Promise<number> {
    const maxUnansweredShare = await findMaxUnansweredShare(context.campaign.id)
    const moves = context.steps.reduce((sum, step) => sum + countCommands(step), 0)
    const unanswered = context.steps.reduce((sum, step) => sum + step.unanswered, 0)
    // A pump is not one of many valves: without its head the loop is not rolled back.
    const isHeadLost = context.steps.some(
      ({ pump, batchId, unanswered: lost }) => pump && batchId !== null && lost > 0,
    )
    return isHeadLost || hasTooManyUnanswered({ given: moves, unanswered }, maxUnansweredShare)
      ? abort(context, { kind: 'unanswered', share: unanswered / moves })
      : apply(context, 'returned')
  }

  async function rollBack(context: TickContext): Promise<number> {
    const { campaign, steps, now } = context
    const step = steps.find(({ state }) => state !== 'done')
    if (!step) return endRollback(context)
    if (step.state === 'waiting') return send(context, step)
    const watched = await watchWave(needs, campaign, step, now)
    if (!watched) return toNextTick(campaign, now)
    await endWave(db, campaign, step, { at: now, unanswered: watched.unanswered })
    return now
  }

  async function advance(context: TickContext): Promise<number> {
    switch (context.campaign.state) {
      case 'executing':
        return execute(context)
      case 'paused':
        return wait(context)
      case 'settling':
        return settle(context)
      case 'rolling-back':
        return rollBack(context)
      default:
        return NEVER
    }
  }

  return async (id, worker) => {
    const campaign = await readCampaign(db, id, worker)
    const place = await getPlace(db, id)
    const steps = (await listSteps(db, id)).filter(({ round }) => round === campaign.round)
    const mandate: Mandate = { ...campaign, nodePath: place.nodePath, operation: 'campaign' }
    const context: TickContext = { campaign, mandate, place, steps, now: clock.now() }
    try {
      return await advance(context)
    } catch (error) {
      if (!(error instanceof UnreadablePlan)) throw error
      return abort(context, { kind: 'refused', code: 'entity.stale' })
    }
  }
}
