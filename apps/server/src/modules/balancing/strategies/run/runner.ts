import type { Log } from '../../../../platform/log.ts'
import type { Signals } from '../../../../platform/signals/signals.ts'
import { type LeaseRunner, startLeaseRunner } from '../../campaign/run/lease-runner.ts'
import { runningStrategies } from '../storage/strategy-changes.pg.ts'
import { createStrategyLook } from './tick.ts'
import type { StrategyLookNeeds } from './tick-needs.ts'

export interface StrategyRunnerNeeds extends StrategyLookNeeds {
  readonly signals: Pick<Signals, 'listen'>
  readonly log: Log
}

/** Lets strategies act, beside any number of other replicas. */
export const startStrategyRunner = (needs: StrategyRunnerNeeds): LeaseRunner =>
  startLeaseRunner(needs, {
    rows: runningStrategies,
    look: createStrategyLook(needs),
    wakers: ['strategy_changed', 'campaign_changed'],
  })
