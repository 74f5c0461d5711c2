import type { Log } from '../../../../platform/log.ts'
import type { Signals } from '../../../../platform/signals/signals.ts'
import { type LeaseRunner, startLeaseRunner } from '../../campaign/run/lease-runner.ts'
import { runningStrategies } from '../storage/strategy-changes.pg.ts'
import { createStrategyTick } from './tick.ts'
import type { StrategyTickNeeds } from './tick-needs.ts'

export interface StrategyRunnerNeeds extends StrategyTickNeeds {
  readonly signals: Pick<Signals, 'listen'>
  readonly log: Log
}

/** Runs strategies, with any number of other replicas. */
export const startStrategyRunner = (needs: StrategyRunnerNeeds): LeaseRunner =>
  startLeaseRunner(needs, {
    rows: runningStrategies,
    tick: createStrategyTick(needs),
    wakers: ['strategy_changed', 'campaign_changed'],
  })
