import type { Clock, Timer } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { HoldUpdate } from './holds/holds.pg.ts'
import type { PlacedCommand } from './model/records.ts'
import { createBatchUpdates } from './orders/batch-updates.ts'
import type { BatchUpdate } from './orders/batches.pg.ts'

export interface CommandUpdatesNeeds {
  readonly signals: Pick<Signals, 'listen'>
  readonly clock: Clock
  readonly log: Log
  readonly findCommands: (ids: readonly string[]) => Promise<readonly PlacedCommand[]>
  readonly findBatches: (ids: readonly string[]) => Promise<readonly BatchUpdate[]>
  readonly findHolds: (ids: readonly number[]) => Promise<readonly HoldUpdate[]>
  /** A command that may be due has changed. */
  readonly wake: () => void
  /** Called with the changed commands; undefined if any command may have changed. */
  readonly onCommands: (commands: readonly PlacedCommand[] | undefined) => Promise<void>
}

/** Commands that are read in one query. */
const AT_ONCE = 500
/** Delay of the next read after a failed one. */
const RETRY_MS = 1_000

/** Listeners of one kind of update. */
function createListeners<Update>() {
  const listeners = new Set<(update: Update) => void>()
  return {
    isEmpty: () => listeners.size === 0,
    add(listener: (update: Update) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    notify(update: Update): void {
      for (const listener of listeners) listener(update)
    },
  }
}

/**
 * Notifies listeners of changed commands, batches and holds, on any replica. Changes that arrive during a read are gathered
 * and read next, each command once and in its latest state. So a batch of thousands is reported as fast as it can be
 * read.
 */
export function createCommandUpdates(needs: CommandUpdatesNeeds) {
  const { signals, clock, log } = needs
  const [commands, batches, holds] = [
    createListeners<PlacedCommand>(),
    createListeners<BatchUpdate>(),
    createListeners<HoldUpdate>(),
  ]
  const changed = new Set<string>()
  let isMissed = false
  let inProgress: Promise<void> | undefined
  let retry: Timer | undefined
  let isStopped = false
  let holdsInProgress: Promise<void> = Promise.resolve()
  const progress = createBatchUpdates({ clock, log, find: needs.findBatches, notify: batches.notify })

  async function notifyOf(ids: readonly string[]): Promise<void> {
    const found = ids.length > 0 ? await needs.findCommands(ids) : []
    for (const placed of found) {
      commands.notify(placed)
      progress.recordChange(placed.command.batchId)
    }
    await needs.onCommands(found)
  }

  async function notifyOfCommands(): Promise<void> {
    while (changed.size > 0 || isMissed) {
      const wasMissed = isMissed
      const ids = [...changed].slice(0, AT_ONCE)
      isMissed = false
      for (const id of ids) changed.delete(id)
      try {
        if (wasMissed) await needs.onCommands(undefined)
        await notifyOf(ids)
      } catch (error) {
        isMissed = true
        for (const id of ids) changed.add(id)
        throw error
      }
    }
  }

  function startNotifying(): void {
    inProgress ??= notifyOfCommands()
      .catch((error: unknown) => {
        log.warn({ err: error }, 'could not read changed commands; retrying')
        retry?.cancel()
        if (!isStopped) retry = clock.setTimeout(startNotifying, RETRY_MS)
      })
      .finally(() => {
        inProgress = undefined
      })
  }

  async function notifyOfHolds(ids: readonly number[]): Promise<void> {
    for (const update of await needs.findHolds(ids)) holds.notify(update)
  }

  const stopListening = [
    signals.listen('command_changed', (payload) => {
      needs.wake()
      if (payload) for (const id of payload.split(',')) changed.add(id)
      else isMissed = true
      startNotifying()
    }),
    signals.listen('batch_changed', (batchId) => {
      needs.wake()
      if (batchId) progress.recordChange(batchId)
    }),
    signals.listen('hold_changed', (payload) => {
      // Changes during a lost connection are not reported; clients see them with their next request.
      if (!payload || holds.isEmpty()) return
      holdsInProgress = holdsInProgress
        .then(() => notifyOfHolds(payload.split(',').map(Number)))
        .catch((error: unknown) => log.warn({ err: error }, 'could not read changed holds'))
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
    /** Resolves when the notifications in progress are done. */
    async settle(): Promise<void> {
      await inProgress
      await holdsInProgress
    },
  }
}
