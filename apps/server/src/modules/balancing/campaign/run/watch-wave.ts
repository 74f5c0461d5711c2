import { finalCommandStates } from '@isotherm/contract/command'
import type { MetricName } from '@isotherm/contract/metrics'
import { reader } from '../../../../platform/caller-of-account.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import type { BatchService } from '../../../commands/index.ts'
import type { LiveStates } from '../../../telemetry/index.ts'
import { type LeasedCampaign, recordProgress } from '../storage/campaign-changes.pg.ts'
import { countCommands, type StoredStep } from '../storage/campaign-rounds.pg.ts'
import { listUnconfirmed } from '../storage/unconfirmed.pg.ts'

export interface WatchNeeds {
  readonly db: Database
  readonly batches: Pick<BatchService, 'get'>
  readonly states: Pick<LiveStates, 'find'>
}

/** A wave whose commands have all ended. */
export interface AnsweredWave {
  /** When that was noticed, Unix ms. */
  readonly answeredAt: number
  readonly given: number
  /** Commands that ended without a confirmation, and valves that were left out. */
  readonly unanswered: number
  /** Ids of the valves among them that answered and then reported another position than the ordered one. */
  readonly missed: readonly number[]
}

/** Valves of a batch that finished their commands and have since reported a position that confirms none of them. */
async function listMissed({ db, states }: WatchNeeds, batchId: string): Promise<readonly number[]> {
  const unconfirmed = await listUnconfirmed(db, batchId)
  return unconfirmed.flatMap(({ deviceId, doneAt }) => {
    const shown = states.find(deviceId)
    const hasReported = shown !== undefined && shown.absence === undefined && shown.ts >= doneAt
    return hasReported && shown.metrics[POSITION] !== undefined ? deviceId : []
  })
}

const POSITION: MetricName = 'valve.opening'

/** Stores the progress of a wave's commands; undefined while any is open. Throws LostCampaign. */
export async function watchWave(
  needs: WatchNeeds,
  campaign: LeasedCampaign,
  step: StoredStep,
  now: number,
): Promise<AnsweredWave | undefined> {
  const { db, batches } = needs
  const { answeredAt, unanswered, missed, batchId } = step
  if (answeredAt !== null) return { answeredAt, given: step.moved, unanswered, missed }
  if (batchId === null) throw new Error(`wave ${step.round}.${step.step} of ${campaign.id} has no batch`)
  const { total, counts } = await batches.get(reader, batchId)
  const ended = [...finalCommandStates].reduce((sum, state) => sum + (counts[state] ?? 0), 0)
  const seen = {
    moved: ended,
    unanswered: ended - (counts.confirmed ?? 0) + countCommands(step) - total,
    missed: ended === total ? await listMissed(needs, batchId) : [],
    answeredAt: ended === total ? now : null,
  }
  const hasChanged = seen.moved !== step.moved || seen.answeredAt !== null
  if (hasChanged) await recordProgress(db, campaign, step, seen)
  return seen.answeredAt === null ? undefined : { ...seen, answeredAt: now, given: total }
}
