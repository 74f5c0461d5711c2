import type { Log } from '../../../../platform/log.ts'
import type { Signals } from '../../../../platform/signals/signals.ts'
import { runningCampaigns } from '../storage/campaign-changes.pg.ts'
import { type LeaseRunner, startLeaseRunner } from './lease-runner.ts'
import { createLook, type LookNeeds } from './tick.ts'

export interface RunnerNeeds extends LookNeeds {
  readonly signals: Pick<Signals, 'listen'>
  readonly log: Log
}

export type CampaignRunner = LeaseRunner

/** Takes campaigns on, each as far as it goes, beside any number of other replicas. */
export const startCampaignRunner = (needs: RunnerNeeds): CampaignRunner =>
  startLeaseRunner(needs, { rows: runningCampaigns, look: createLook(needs), wakers: ['campaign_changed'] })
