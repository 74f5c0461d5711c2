import { randomUUID } from 'node:crypto'
import { type PollLoop, startPollLoop } from '../../../platform/tasks/poll-loop.ts'
import { listActiveSources } from '../storage/sources.pg.ts'
import { type RunnerNeeds, tickSource } from './tick.ts'

/** Pause between ticks. Steps last minutes, so a second of delay does not matter. */
const PAUSE_MS = 1_000

/**
 * Runs all sources, with any number of other replicas. The whole state is in the database, so a restart continues.
 */
export function startIrrigationRunner(needs: RunnerNeeds): PollLoop {
  const worker = randomUUID()
  let isFailing = false
  return startPollLoop({
    clock: needs.clock,
    pauseMs: PAUSE_MS,
    async work() {
      for (const id of await listActiveSources(needs.db)) await tickSource(needs, id, worker)
      isFailing = false
    },
    onError(error) {
      // One line per outage of the database, not one per second.
      if (!isFailing) needs.log.error({ err: error }, 'irrigation could not be run; retrying')
      isFailing = true
    },
  })
}
