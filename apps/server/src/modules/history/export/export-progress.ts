import { exportProgress } from '@isotherm/contract/export-progress'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { LabelledRuns } from './export-files.ts'

/** Payload of the signal for the progress of an export. */
export const exportEvent = exportProgress.extend({ accountId: z.number().int() })
type ExportEvent = z.infer<typeof exportEvent>

/** Shortest time between two notifications of an export, ms. */
const GATHER_MS = 500

/** Owner and id of an export. Without an id there are no notifications. */
interface Named {
  readonly accountId: number
  readonly progressId: string | undefined
}

/** Notifies of the progress of exports while they are streamed. */
export interface ExportTracker {
  /** The output of an export. State `done` after all of it is read, `failed` if the reader stops earlier. */
  track(
    named: Named,
    pieces: AsyncIterable<LabelledRuns>,
    toBytes: (pieces: AsyncIterable<LabelledRuns>) => AsyncIterable<Buffer>,
  ): AsyncIterable<Buffer>
}

export interface ExportTrackerOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly notify: (event: ExportEvent) => Promise<void>
}

export function createExportTracker({ clock, log, notify }: ExportTrackerOptions): ExportTracker {
  async function* track(
    { accountId, progressId }: { readonly accountId: number; readonly progressId: string },
    pieces: AsyncIterable<LabelledRuns>,
    toBytes: (pieces: AsyncIterable<LabelledRuns>) => AsyncIterable<Buffer>,
  ): AsyncGenerator<Buffer> {
    let rows = 0
    let notifiedAt = clock.now()
    // Notifications are sent one after the other, so that the final state comes last. The export does not wait for
    // them.
    let notified: Promise<void> = Promise.resolve()
    function note(state: ExportEvent['state']): void {
      const event = { accountId, progressId, rows, state }
      notifiedAt = clock.now()
      notified = notified
        .then(() => notify(event))
        .catch((error: unknown) => log.warn({ err: error }, 'cannot notify of the progress of an export'))
    }
    async function* counted(): AsyncGenerator<LabelledRuns> {
      for await (const piece of pieces) {
        for (const { count } of piece.runs) rows += count
        yield piece
        if (clock.now() - notifiedAt >= GATHER_MS) note('running')
      }
    }
    let isWhole = false
    try {
      yield* toBytes(counted())
      isWhole = true
    } finally {
      note(isWhole ? 'done' : 'failed')
    }
  }

  return {
    track: ({ accountId, progressId }, pieces, toBytes) =>
      progressId === undefined ? toBytes(pieces) : track({ accountId, progressId }, pieces, toBytes),
  }
}
