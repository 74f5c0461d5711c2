import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { isDataError } from '../../../platform/postgres/data-error.ts'
import { bisect } from '../../../platform/tasks/bisect.ts'
import type { FindingSink } from '../plausibility/plausibility.ts'
import type { FindingChange, FindingEnd, FindingStore } from './finding-changes.ts'

export type FindingListener = (changes: readonly FindingChange[]) => void

/** Stores findings of the rules, and notifies of them after they are stored. */
export interface FindingWriter {
  readonly sink: FindingSink
  /**
   * Notifies of findings that started or ended. Of all replicas, the one that stored them notifies. Returns a function
   * that stops it.
   */
  onChanged(listener: FindingListener): () => void
  /** Writes the waiting changes; rejects while the store is away. */
  flush(): Promise<void>
  close(): void
}

export interface FindingWriterOptions {
  readonly store: Pick<FindingStore, 'start' | 'end'>
  readonly clock: Clock
  readonly log: Log
}

type Waiting =
  | { readonly kind: 'start'; readonly change: FindingChange }
  | { readonly kind: 'end'; readonly end: FindingEnd }

const GATHER_MS = 500
const RETRY_MS = 5_000
/** Changes in one statement. */
const AT_ONCE = 2_000
/**
 * Changes that may wait while the store is away. If there are more, the oldest are dropped: a rule opens its finding
 * again with a later reading.
 */
const MOST_WAITING = 200_000

const keyOf = (waiting: Waiting): string => {
  const { deviceId, rule } = waiting.kind === 'start' ? waiting.change : waiting.end
  return `${deviceId} ${rule}`
}

export function createFindingWriter({ store, clock, log }: FindingWriterOptions): FindingWriter {
  const listeners = new Set<FindingListener>()
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined
  let timer: Timer | undefined

  /** Number of changes from the front that fit into one statement: all of one kind, each device and rule once. */
  function countBatch(): number {
    const keys = new Set<string>()
    const kind = waiting[0]?.kind
    let count = 0
    for (const one of waiting) {
      if (one.kind !== kind || count >= AT_ONCE || keys.has(keyOf(one))) break
      keys.add(keyOf(one))
      count += 1
    }
    return count
  }

  const write = (batch: readonly Waiting[]): Promise<readonly FindingChange[]> =>
    batch[0]?.kind === 'start'
      ? store.start(batch.flatMap((one) => (one.kind === 'start' ? [one.change] : [])))
      : store.end(batch.flatMap((one) => (one.kind === 'end' ? [one.end] : [])))

  async function writeAndNotify(batch: readonly Waiting[]): Promise<void> {
    const changes = await write(batch)
    if (changes.length > 0) for (const listener of listeners) listener(changes)
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, countBatch())
      // A change that the database always refuses would block all later ones, so it is dropped.
      for (const { item, error } of await bisect(batch, writeAndNotify, isDataError))
        log.error({ err: error, finding: item }, 'the database refuses a finding, it is dropped')
      // Dropped changes were at the front, so positions have shifted.
      const written = new Set(batch)
      waiting = waiting.filter((one) => !written.has(one))
    }
  }

  function flush(): Promise<void> {
    writing ??= writeAll().finally(() => {
      writing = undefined
    })
    return writing
  }

  function plan(delayMs: number): void {
    timer ??= clock.setTimeout(() => {
      timer = undefined
      flush().catch((error: unknown) => {
        log.warn({ err: error, waiting: waiting.length }, 'cannot store findings, retrying')
        plan(RETRY_MS)
      })
    }, delayMs)
  }

  function put(one: Waiting): void {
    waiting.push(one)
    if (waiting.length > MOST_WAITING) {
      waiting = waiting.slice(-MOST_WAITING / 2)
      log.error(
        { waiting: waiting.length },
        'too many findings wait for the database, the oldest are dropped',
      )
    }
    plan(GATHER_MS)
  }

  return {
    sink: {
      open: (deviceId, rule, since, detail) =>
        put({ kind: 'start', change: { deviceId, rule, since, detail } }),
      close: (deviceId, rule, until) => put({ kind: 'end', end: { deviceId, rule, until } }),
      event: (deviceId, rule, at, detail) =>
        put({ kind: 'start', change: { deviceId, rule, since: at, until: at, detail } }),
    },
    onChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    flush,
    close: () => timer?.cancel(),
  }
}
