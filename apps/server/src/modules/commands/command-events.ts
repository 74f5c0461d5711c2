import type { Clock, Timer } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { HoldNews } from './holds/holds.pg.ts'
import type { PlacedCommand } from './model/records.ts'
import { createBatchNews } from './orders/batch-events.ts'
import type { BatchNews } from './orders/batches.pg.ts'

export interface NewsNeeds {
  readonly signals: Pick<Signals, 'listen'>
  readonly clock: Clock
  readonly log: Log
  readonly findCommands: (ids: readonly string[]) => Promise<readonly PlacedCommand[]>
  readonly findBatches: (ids: readonly string[]) => Promise<readonly BatchNews[]>
  readonly findHolds: (ids: readonly number[]) => Promise<readonly HoldNews[]>
  /** Something changed that may be due to be dispatched. */
  readonly wake: () => void
  /** Takes commands as they stand now; undefined when any may have changed. */
  readonly note: (commands: readonly PlacedCommand[] | undefined) => Promise<void>
}

/** So many commands are looked up at once. */
const AT_ONCE = 500
/** When a look-up failed, the next is so much later. */
const RETRY_MS = 1_000

/** Those who want to hear of something. */
function createListeners<News>() {
  const heard = new Set<(news: News) => void>()
  return {
    isEmpty: () => heard.size === 0,
    add(listener: (news: News) => void): () => void {
      heard.add(listener)
      return () => heard.delete(listener)
    },
    tell(news: News): void {
      for (const listener of heard) listener(news)
    },
  }
}

/**
 * Tells what changed on whichever replica. What changes while others are looked up is looked up after them, each
 * once and as it stands then: a batch of thousands is told of as fast as it can be read, and no slower change waits
 * behind one that is over.
 */
export function createNews(needs: NewsNeeds) {
  const { signals, clock, log } = needs
  const [commands, batches, holds] = [
    createListeners<PlacedCommand>(),
    createListeners<BatchNews>(),
    createListeners<HoldNews>(),
  ]
  const changed = new Set<string>()
  let isMissed = false
  let telling: Promise<void> | undefined
  let retry: Timer | undefined
  let isStopped = false
  let tellingHolds: Promise<void> = Promise.resolve()
  const progress = createBatchNews({ clock, log, find: needs.findBatches, tell: batches.tell })

  async function tellSome(ids: readonly string[]): Promise<void> {
    const found = ids.length > 0 ? await needs.findCommands(ids) : []
    for (const placed of found) {
      commands.tell(placed)
      progress.note(placed.command.batchId)
    }
    await needs.note(found)
  }

  async function tellCommands(): Promise<void> {
    while (changed.size > 0 || isMissed) {
      const wasMissed = isMissed
      const ids = [...changed].slice(0, AT_ONCE)
      isMissed = false
      for (const id of ids) changed.delete(id)
      try {
        if (wasMissed) await needs.note(undefined)
        await tellSome(ids)
      } catch (error) {
        isMissed = true
        for (const id of ids) changed.add(id)
        throw error
      }
    }
  }

  function startTelling(): void {
    telling ??= tellCommands()
      .catch((error: unknown) => {
        log.warn({ err: error }, 'commands are told of later')
        retry?.cancel()
        if (!isStopped) retry = clock.setTimeout(startTelling, RETRY_MS)
      })
      .finally(() => {
        telling = undefined
      })
  }

  async function tellHolds(ids: readonly number[]): Promise<void> {
    for (const news of await needs.findHolds(ids)) holds.tell(news)
  }

  const stopListening = [
    signals.listen('command_changed', (payload) => {
      needs.wake()
      if (payload) for (const id of payload.split(',')) changed.add(id)
      else isMissed = true
      startTelling()
    }),
    signals.listen('batch_changed', (batchId) => {
      needs.wake()
      if (batchId) progress.note(batchId)
    }),
    signals.listen('hold_changed', (payload) => {
      // What was missed while the connection was lost is seen by who asks.
      if (!payload || holds.isEmpty()) return
      tellingHolds = tellingHolds
        .then(() => tellHolds(payload.split(',').map(Number)))
        .catch((error: unknown) => log.warn({ err: error }, 'could not tell of holds'))
    }),
  ]

  return {
    onChanged: commands.add,
    onBatch: batches.add,
    onHold: holds.add,
    stopListening(): void {
      isStopped = true
      retry?.cancel()
      for (const stop of stopListening) stop()
    },
    /** Resolves when what is being told has been. */
    async settle(): Promise<void> {
      await telling
      await tellingHolds
    },
  }
}
