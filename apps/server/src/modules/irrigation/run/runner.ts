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
  const failing = new Set<number>()

  /** Ticks a source. One that fails is left for the next run: the others must get their tick. */
  async function tick(id: number): Promise<void> {
    try {
      await tickSource(needs, id, worker)
      failing.delete(id)
    } catch (error) {
      if (!failing.has(id)) needs.log.error({ err: error, source: id }, 'a source could not be run; retrying')
      failing.add(id)
    }
  }

  return startPollLoop({
    clock: needs.clock,
    pauseMs: PAUSE_MS,
    async work() {
      for (const id of await listActiveSources(needs.db)) await tick(id)
      isFailing = false
    },
    onError(error) {
      // One line per outage of the database, not one per second.
      if (!isFailing) needs.log.error({ err: error }, 'irrigation could not be run; retrying')
      isFailing = true
    },
  })
}
