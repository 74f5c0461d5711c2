import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { isDataError } from '../../../platform/postgres/data-error.ts'
import { bisect } from '../../../platform/tasks/bisect.ts'
import type { FindingSink } from '../plausibility/plausibility.ts'
import type { FindingChange, FindingEnd, FindingStore } from './finding-changes.ts'

export type FindingListener = (changes: readonly FindingChange[]) => void

/** Keeps what the rules find, and tells it once it is kept. */
export interface FindingWriter {
  readonly sink: FindingSink
  /** Tells findings that began or ended; of all replicas the one that noted them tells. Returns how to stop. */
  onChanged(heard: FindingListener): () => void
  /** Writes what waits; rejects when the store is away. */
  flush(): Promise<void>
  close(): void
}

export interface FindingWriterOptions {
  readonly store: Pick<FindingStore, 'begin' | 'end'>
  readonly clock: Clock
  readonly log: Log
}

type Waiting =
  | { readonly kind: 'begin'; readonly change: FindingChange }
  | { readonly kind: 'end'; readonly end: FindingEnd }

const GATHER_MS = 500
const RETRY_MS = 5_000
/** Written in one statement. */
const AT_ONCE = 2_000
/** What waits while the store is away; above it the oldest are given up, for a rule begins anew with its next reading. */
const MOST_WAITING = 200_000

const keyOf = (waiting: Waiting): string => {
  const { deviceId, rule } = waiting.kind === 'begin' ? waiting.change : waiting.end
  return `${deviceId} ${rule}`
}

export function createFindingWriter({ store, clock, log }: FindingWriterOptions): FindingWriter {
  const listeners = new Set<FindingListener>()
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined
  let timer: Timer | undefined

  /** As many from the front as one statement takes: all of one kind, each device and rule once. */
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
    batch[0]?.kind === 'begin'
      ? store.begin(batch.flatMap((one) => (one.kind === 'begin' ? [one.change] : [])))
      : store.end(batch.flatMap((one) => (one.kind === 'end' ? [one.end] : [])))

  async function writeAndTell(batch: readonly Waiting[]): Promise<void> {
    const changes = await write(batch)
    if (changes.length > 0) for (const heard of listeners) heard(changes)
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, countBatch())
      // One that the database will never take would hold up all that come after it: it is given up, and they are not.
      for (const { item, error } of await bisect(batch, writeAndTell, isDataError))
        log.error({ err: error, finding: item }, 'the database refuses a finding, which is given up')
      // What was given up meanwhile stood at the front.
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
      log.error({ kept: waiting.length }, 'too many findings wait to be stored; the oldest are given up')
    }
    plan(GATHER_MS)
  }

  return {
    sink: {
      open: (deviceId, rule, since, detail) =>
        put({ kind: 'begin', change: { deviceId, rule, since, detail } }),
      close: (deviceId, rule, until) => put({ kind: 'end', end: { deviceId, rule, until } }),
      event: (deviceId, rule, at, detail) =>
        put({ kind: 'begin', change: { deviceId, rule, since: at, until: at, detail } }),
    },
    onChanged(heard) {
      listeners.add(heard)
      return () => listeners.delete(heard)
    },
    flush,
    close: () => timer?.cancel(),
  }
}
