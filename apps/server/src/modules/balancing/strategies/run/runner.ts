import type { Log } from '../../../../platform/log.ts'
import type { Signals } from '../../../../platform/signals/signals.ts'
import { type LeaseRunner, startLeaseRunner } from '../../campaign/run/lease-runner.ts'
import { runningStrategies, stoppedStrategies } from '../storage/strategy-changes.pg.ts'
import { createRestoreTick } from './restore-supply.ts'
import { createStrategyTick } from './tick.ts'
import type { StrategyTickNeeds } from './tick-needs.ts'

export interface StrategyRunnerNeeds extends StrategyTickNeeds {
  readonly signals: Pick<Signals, 'listen'>
  readonly log: Log
}

/** Runs strategies and restores what stopped ones changed, with any number of other replicas. */
export function startStrategyRunner(needs: StrategyRunnerNeeds): LeaseRunner {
  const runners = [
    startLeaseRunner(needs, {
      rows: runningStrategies,
      tick: createStrategyTick(needs),
      wakers: ['strategy_changed', 'campaign_changed'],
    }),
    startLeaseRunner(needs, {
      rows: stoppedStrategies,
      tick: createRestoreTick(needs),
      wakers: ['strategy_changed'],
    }),
  ]
  return {
    async close() {
      await Promise.all(runners.map((runner) => runner.close()))
    },
  }
}
