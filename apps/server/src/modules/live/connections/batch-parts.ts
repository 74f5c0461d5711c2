import type { BatchProgress } from '@isotherm/contract/command'
import { getCtlBatches } from '@isotherm/contract/endpoints/command-batches'
import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { BatchNews } from '../../commands/index.ts'
import type { DeviceDirectory } from '../../devices/index.ts'
import type { TakeTurn } from '../subscriptions/time-slices.ts'
import type { LiveConnection } from './connection.ts'

type Parts = Awaited<ReturnType<BatchNews['listParts']>>

export interface BatchPartsNeeds {
  readonly connections: Iterable<Pick<LiveConnection, 'sightOf' | 'isGranted' | 'tellWho'>>
  readonly directory: Pick<DeviceDirectory, 'findById'>
  readonly clock: Clock
  readonly log: Log
  readonly takeTurn: TakeTurn
}

/** Those who see some of a batch are told of it no more often than this, ms: it is read and counted for each. */
const GATHER_MS = 1_000
const { anyOf } = getCtlBatches.access

/** Tells those who see some of a batch's valves, and not all, how far these are, and nothing of the others. */
export function createBatchParts({ connections, directory, clock, log, takeTurn }: BatchPartsNeeds) {
  const changed = new Map<string, BatchNews>()
  /** Of the next round; kept until all of it is told. */
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

  async function tell({ progress, path, listParts }: BatchNews): Promise<void> {
    const some = [...connections].filter((connection) => connection.sightOf({ path, anyOf }) === 'some')
    if (some.length === 0) return
    const parts = await listParts()
    for (const connection of some) {
      await takeTurn()
      if (isClosed) return
      const own = toOwn(progress, parts, connection.isGranted)
      if (own.total > 0) connection.tellWho(anyOf, undefined, { type: 'batch', ...own })
    }
  }

  async function tellAll(): Promise<void> {
    const batches = [...changed.values()]
    changed.clear()
    for (const batch of batches) {
      if (isClosed) return
      await tell(batch).catch((error: unknown) =>
        log.warn({ err: error }, 'cannot tell how far some of a batch is'),
      )
    }
    timer = undefined
    plan()
  }

  /** One round after the other, however long one takes: what changed meanwhile is told once in the next. */
  function plan(): void {
    if (changed.size > 0 && !isClosed) timer ??= clock.setTimeout(tellAll, GATHER_MS)
  }

  return {
    note(batch: BatchNews): void {
      changed.set(batch.progress.id, batch)
      plan()
    },
    close() {
      isClosed = true
      timer?.cancel()
    },
  }
}
