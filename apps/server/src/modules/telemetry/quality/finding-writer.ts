import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { isDataError } from '../../../platform/postgres/data-error.ts'
import { createWriteQueue } from '../../../platform/tasks/write-queue.ts'
import type { FindingSink } from '../plausibility/plausibility.ts'
import type { EndFindings, FindingChange, FindingEnd, StartFindings } from './finding-changes.ts'

export type FindingListener = (changes: readonly FindingChange[]) => void

/** Stores findings of the rules, and notifies of them after they are stored. */
export interface FindingWriter {
  readonly sink: FindingSink
  /**
   * Notifies of findings that started or ended. Of all replicas, the one that stored them notifies. Returns a function
   * that stops it.
   */
  onChanged(listener: FindingListener): () => void
  /** Writes the waiting changes. Resolves also if that fails; then they are retried later. */
  flush(): Promise<void>
  /** Writes the waiting changes once more. */
  close(): Promise<void>
}

export interface FindingWriterOptions {
  readonly start: StartFindings
  readonly end: EndFindings
  readonly clock: Clock
  readonly log: Log
}

type Waiting =
  | { readonly kind: 'start'; readonly change: FindingChange }
  | { readonly kind: 'end'; readonly end: FindingEnd }

const GATHER_MS = 500
const RETRY_MS = 5_000
/** Largest number of changes in one statement. */
const MAX_BATCH = 2_000
/**
 * Limit of changes that wait while the store is away. Above it, the older half is dropped: a rule opens its finding
 * again with a later reading.
 */
const MAX_WAITING = 200_000

const toKey = (waiting: Waiting): string => {
  const { deviceId, rule } = waiting.kind === 'start' ? waiting.change : waiting.end
  return `${deviceId} ${rule}`
}

/** Number of changes from the front that fit into one statement: all of one kind, each device and rule once. */
function countBatch(waiting: readonly Waiting[]): number {
  const keys = new Set<string>()
  const end = waiting.findIndex((one) => {
    const key = toKey(one)
    if (one.kind !== waiting[0]?.kind || keys.has(key)) return true
    keys.add(key)
    return false
  })
  return end === -1 ? waiting.length : end
}

export function createFindingWriter({ start, end, clock, log }: FindingWriterOptions): FindingWriter {
  const listeners = new Set<FindingListener>()

  const write = (batch: readonly Waiting[]): Promise<readonly FindingChange[]> =>
    batch[0]?.kind === 'start'
      ? start(batch.flatMap((one) => (one.kind === 'start' ? [one.change] : [])))
      : end(batch.flatMap((one) => (one.kind === 'end' ? [one.end] : [])))

  async function writeAndNotify(batch: readonly Waiting[]): Promise<void> {
    const changes = await write(batch)
    if (changes.length > 0) for (const listener of listeners) listener(changes)
  }

  const queue = createWriteQueue<Waiting>({
    clock,
    gatherMs: GATHER_MS,
    maxBatch: MAX_BATCH,
    countBatch,
    write: writeAndNotify,
    isRefusal: isDataError,
    // A change that the database always refuses would block all later ones, so it is dropped.
    onRefused: ({ item, error }) =>
      log.error({ err: error, finding: item }, 'the database refuses a finding, it is dropped'),
    onFailed: (error, changes) =>
      log.warn({ err: error, changes: changes.length }, 'cannot store findings, retrying'),
    retryMs: RETRY_MS,
    overflow: {
      maxWaiting: MAX_WAITING,
      onDropped: (count) =>
        log.error({ count }, 'too many findings wait for the database, the oldest are dropped'),
    },
  })

  return {
    sink: {
      open: (deviceId, rule, since, detail) =>
        queue.put({ kind: 'start', change: { deviceId, rule, since, detail } }),
      close: (deviceId, rule, until) => queue.put({ kind: 'end', end: { deviceId, rule, until } }),
      event: (deviceId, rule, at, detail) =>
        queue.put({ kind: 'start', change: { deviceId, rule, since: at, until: at, detail } }),
    },
    onChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    flush: queue.flush,
    close: queue.close,
  }
}
