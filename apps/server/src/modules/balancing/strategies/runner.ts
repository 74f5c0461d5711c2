import type { Log } from '../../../platform/log.ts'
import type { Signals } from '../../../platform/signals.ts'
import { type LeaseRunner, startLeaseRunner } from '../campaign/lease-runner.ts'
import { createStrategyLook } from './look.ts'
import type { StrategyLookNeeds } from './look-needs.ts'
import { runningStrategies } from './run-store.pg.ts'

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
