import { MOST_UNANSWERED } from '@isotherm/balancing/moves/wave-plan'
import { hasTooManyUnanswered } from '@isotherm/balancing/plan/find-abort'
import type { CampaignAbort } from '@isotherm/contract/balancing/campaign'
import type { Clock } from '../../../../platform/clock.ts'
import type { Place } from '../../loop/place.ts'
import type { CampaignStore } from '../storage/campaign-changes.pg.ts'
import {
  endWave,
  type HeldCampaign,
  type Outcome,
  proceed,
  readCampaign,
} from '../storage/campaign-changes.pg.ts'
import { countCommands, listSteps, type StoredStep } from '../storage/campaign-rounds.pg.ts'
import { UnreadablePlan } from '../storage/stored-plan.ts'
import { actFor, type FindAccess, type Mandate, toOperation } from './act-for.ts'
import { type JudgeNeeds, judgeRound, judgeWave } from './judge.ts'
import { type GiveNeeds, giveWave } from './send-wave.ts'
import { type WatchNeeds, watchWave } from './watch-wave.ts'

export interface LookNeeds extends GiveNeeds, WatchNeeds, JudgeNeeds {
  readonly store: Pick<CampaignStore, 'getPlace' | 'getRound'>
  readonly findAccess: FindAccess
  readonly clock: Clock
}

/** Between two looks at how far commands are, at what is measured, and at a round that should have settled, ms. */
const COMMANDS_MS = 2_000
const READINGS_MS = 5_000
const VERIFY_MS = 30_000
const NEVER = Number.MAX_SAFE_INTEGER
/** Commands that take long are looked at less often: after a tenth of the time they have taken, and within this, ms. */
const LATEST_LOOK_MS = 30_000

const toNextLook = ({ updatedAt }: HeldCampaign, now: number): number =>
  now + Math.min(LATEST_LOOK_MS, Math.max(COMMANDS_MS, Math.ceil((now - updatedAt) / 10)))

/** What one look knows of its campaign. */
interface Sight {
  readonly campaign: HeldCampaign
  readonly mandate: Mandate
  readonly place: Place
  /** Those of the round at hand. */
  readonly steps: readonly StoredStep[]
  readonly now: number
}

/**
 * How a campaign goes on: one look does the one thing that is due and answers when to look again, Unix ms. What a look
 * does is stored whole or not at all, and the next begins with what is stored, on whichever replica. Throws
 * LostCampaign for one that is another's now.
 */
export function createLook(needs: LookNeeds): (id: number, worker: string) => Promise<number> {
  const { db, store, clock } = needs

  async function go(
    { campaign, mandate, place, now }: Sight,
    event: Parameters<typeof proceed>[2],
    outcome: Omit<Outcome, 'at'> = {},
  ): Promise<number> {
    const operation = toOperation(mandate, place.companyId, now)
    await proceed(db, campaign, event, { at: now, ...outcome }, operation)
    return now
  }

  const abort = (sight: Sight, reason: CampaignAbort, outcome: Omit<Outcome, 'at'> = {}): Promise<number> =>
    go(sight, 'abort', { ...outcome, abort: reason })

  async function give(sight: Sight, step: StoredStep): Promise<number> {
    const { campaign, mandate, now } = sight
    const acting = await actFor(needs.findAccess, mandate, now)
    if (!acting) return abort(sight, { kind: 'refused', code: 'access.denied' })
    const wave = await giveWave(needs, sight, step, acting)
    if (wave.kind === 'refused') return abort(sight, wave)
    if (wave.kind === 'given') return now + COMMANDS_MS
    await endWave(db, campaign, step, { at: now, unanswered: countCommands(step) })
    return now
  }

  async function execute(sight: Sight): Promise<number> {
    const { campaign, steps, now } = sight
    const step = steps.find(({ state }) => state !== 'done')
    if (step?.state === 'waiting') return give(sight, step)
    const watched = step && (await watchWave(needs, campaign, step, now))
    if (step && !watched) return toNextLook(campaign, now)
    // It is large, and needed only to judge.
    const { plan } = await store.getRound(campaign.id)
    if (!step || !watched) return go(sight, 'settle', { settledAt: now + plan.settleMs })
    const verdict = await judgeWave(needs, sight, { plan, step, ...watched })
    if (verdict.kind === 'wait') return now + READINGS_MS
    if (verdict.kind === 'abort') return abort(sight, verdict.reason)
    await endWave(db, campaign, step, { at: now, unanswered: watched.unanswered })
    return now
  }

  async function wait({ campaign, steps, now }: Sight): Promise<number> {
    const step = steps.find(({ state }) => state === 'given')
    if (!step) return NEVER
    return (await watchWave(needs, campaign, step, now)) ? NEVER : toNextLook(campaign, now)
  }

  async function settle(sight: Sight): Promise<number> {
    const { campaign, now } = sight
    const settledAt = campaign.settledAt ?? now
    if (now < settledAt) return settledAt
    const { plan } = await store.getRound(campaign.id)
    const verdict = await judgeRound(needs, sight, { plan, settledAt, mode: campaign.mode })
    if (verdict.kind === 'wait') return now + VERIFY_MS
    const verified = verdict.verification ? { verification: verdict.verification } : {}
    if (verdict.kind === 'abort') return abort(sight, verdict.reason, verified)
    return go(sight, 'verified', verified)
  }

  /** Part of the orders of a way back that may not be followed; of a plan that another version made, what plans allow. */
  async function findMostUnanswered(id: number): Promise<number> {
    try {
      return (await store.getRound(id)).plan.mostUnanswered
    } catch (error) {
      if (error instanceof UnreadablePlan) return MOST_UNANSWERED
      throw error
    }
  }

  /** A way back on which too many did not follow is none: it can be asked for again. */
  async function endWayBack(sight: Sight): Promise<number> {
    const mostUnanswered = await findMostUnanswered(sight.campaign.id)
    const moves = sight.steps.reduce((sum, step) => sum + countCommands(step), 0)
    const unanswered = sight.steps.reduce((sum, step) => sum + step.unanswered, 0)
    // One pump is not one valve of many: a loop at another head is not back.
    const isHeadLost = sight.steps.some(
      ({ pump, batchId, unanswered: lost }) => pump && batchId !== null && lost > 0,
    )
    return isHeadLost || hasTooManyUnanswered({ given: moves, unanswered }, mostUnanswered)
      ? abort(sight, { kind: 'unanswered', share: unanswered / moves })
      : go(sight, 'returned')
  }

  async function goBack(sight: Sight): Promise<number> {
    const { campaign, steps, now } = sight
    const step = steps.find(({ state }) => state !== 'done')
    if (!step) return endWayBack(sight)
    if (step.state === 'waiting') return give(sight, step)
    const watched = await watchWave(needs, campaign, step, now)
    if (!watched) return toNextLook(campaign, now)
    await endWave(db, campaign, step, { at: now, unanswered: watched.unanswered })
    return now
  }

  async function goOn(sight: Sight): Promise<number> {
    switch (sight.campaign.state) {
      case 'executing':
        return execute(sight)
      case 'paused':
        return wait(sight)
      case 'settling':
        return settle(sight)
      case 'rolling-back':
        return goBack(sight)
      default:
        return NEVER
    }
  }

  return async (id, worker) => {
    const campaign = await readCampaign(db, id, worker)
    const place = await store.getPlace(id)
    const steps = (await listSteps(db, id)).filter(({ round }) => round === campaign.round)
    const mandate: Mandate = { ...campaign, nodePath: place.nodePath, operation: 'campaign' }
    const sight: Sight = { campaign, mandate, place, steps, now: clock.now() }
    try {
      return await goOn(sight)
    } catch (error) {
      if (!(error instanceof UnreadablePlan)) throw error
      return abort(sight, { kind: 'refused', code: 'entity.stale' })
    }
  }
}
