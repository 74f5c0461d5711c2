import type { Log } from '../../../../platform/log.ts'
import type { Signals } from '../../../../platform/signals/signals.ts'
import { runningCampaigns } from '../storage/campaign-changes.pg.ts'
import { type LeaseRunner, startLeaseRunner } from './lease-runner.ts'
import { createTick, type TickNeeds } from './tick.ts'

export interface RunnerNeeds extends TickNeeds {
  readonly signals: Pick<Signals, 'listen'>
  readonly log: Log
}

export type CampaignRunner = LeaseRunner

/** Runs campaigns, with any number of other replicas. */
export const startCampaignRunner = (needs: RunnerNeeds): CampaignRunner =>
  startLeaseRunner(needs, { rows: runningCampaigns, tick: createTick(needs), wakers: ['campaign_changed'] })
