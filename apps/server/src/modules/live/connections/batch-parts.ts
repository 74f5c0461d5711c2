import type { BatchProgress } from '@isotherm/contract/command'
import { getCtlBatches } from '@isotherm/contract/endpoints/control/command-batches'
import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { BatchUpdate } from '../../commands/index.ts'
import type { DeviceDirectory } from '../../devices/index.ts'
import type { WaitForSlice } from '../subscriptions/time-slices.ts'
import type { LiveConnection } from './connection.ts'

/** The state of the command to each valve of a batch. */
type Parts = Awaited<ReturnType<BatchUpdate['listParts']>>

export interface BatchPartsNeeds {
  readonly connections: Iterable<Pick<LiveConnection, 'visibilityOf' | 'isGranted' | 'sendTo'>>
  readonly directory: Pick<DeviceDirectory, 'findById'>
  readonly clock: Clock
  readonly log: Log
  readonly waitForSlice: WaitForSlice
}

/**
 * Shortest time between two events of a batch for users who see a part of it, ms: the batch is read and counted for
 * each of them.
 */
const GATHER_MS = 1_000
const { anyOf } = getCtlBatches.access

/**
 * Sends the progress of a batch to users who see some but not all of its valves: only the progress of the visible
 * valves.
 */
export function createBatchParts({ connections, directory, clock, log, waitForSlice }: BatchPartsNeeds) {
  const changed = new Map<string, BatchUpdate>()
  /** Timer of the next run; set until that run is complete. */
  let timer: Timer | undefined
  let isClosed = false

  function toOwn(
    { id, state }: BatchProgress,
    parts: Parts,
    isGranted: (path: string) => boolean,
  ): BatchProgress {
    const counts: BatchProgress['counts'] = {}
    let total = 0
    for (const part of parts) {
      const device = directory.findById(part.deviceId)
      if (!device || !isGranted(device.path)) continue
      total += 1
      counts[part.state] = (counts[part.state] ?? 0) + 1
    }
    return { id, state, total, counts }
  }

  async function sendParts({ progress, path, listParts }: BatchUpdate): Promise<void> {
    const some = [...connections].filter((connection) => connection.visibilityOf({ path, anyOf }) === 'some')
    if (some.length === 0) return
    const parts = await listParts()
    for (const connection of some) {
      await waitForSlice()
      if (isClosed) return
      const own = toOwn(progress, parts, connection.isGranted)
      if (own.total > 0) connection.sendTo(anyOf, undefined, { type: 'batch', ...own })
    }
  }

  async function sendAll(): Promise<void> {
    const batches = [...changed.values()]
    changed.clear()
    for (const batch of batches) {
      if (isClosed) return
      await sendParts(batch).catch((error: unknown) =>
        log.warn({ err: error }, 'cannot send the progress of a batch'),
      )
    }
    timer = undefined
    scheduleRun()
  }

  /**
   * Schedules the next run, unless one is scheduled or still working. Changes meanwhile are sent in the run after it.
   */
  function scheduleRun(): void {
    if (changed.size > 0 && !isClosed) timer ??= clock.setTimeout(sendAll, GATHER_MS)
  }

  return {
    recordChange(batch: BatchUpdate): void {
      changed.set(batch.progress.id, batch)
      scheduleRun()
    },
    close() {
      isClosed = true
      timer?.cancel()
    },
  }
}
