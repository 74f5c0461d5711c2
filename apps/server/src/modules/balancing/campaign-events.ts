import type { Campaign } from '@isotherm/contract/balancing/campaign'
import type { Clock, Timer } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { SignalChannel, Signals } from '../../platform/signals/signals.ts'

/** Progress of a campaign. */
export type CampaignProgress = Pick<
  Campaign,
  'id' | 'node' | 'version' | 'state' | 'round' | 'moves' | 'moved'
>

/** Progress of a campaign, and the present path of its node. */
export interface CampaignUpdate {
  readonly progress: CampaignProgress
  readonly path: string
}

export interface ProgressEventNeeds<Update> {
  readonly signals: Pick<Signals, 'listen'>
  readonly clock: Clock
  readonly log: Log
  /** Progress of these rows; without ids, of every row that has not ended. */
  readonly find: (ids: readonly number[] | undefined) => Promise<readonly Update[]>
}

/** Minimum time between two events of the same row, ms. */
const GATHER_MS = 500

/**
 * Publishes the progress of rows, whichever replica changed them. Changes of the same moment are collected; one query
 * runs after the other.
 */
export function createProgressEvents<Update>(
  { signals, clock, log, find }: ProgressEventNeeds<Update>,
  channel: Extract<SignalChannel, 'campaign_changed' | 'strategy_changed'>,
) {
  const listeners = new Set<(update: Update) => void>()
  const ids = new Set<number>()
  let isMissed = false
  let isClosed = false
  let timer: Timer | undefined
  let running: Promise<void> = Promise.resolve()

  async function publish(): Promise<void> {
    const changed = [...ids]
    const wasMissed = isMissed
    ids.clear()
    isMissed = false
    try {
      const found = changed.length > 0 ? await find(changed) : []
      const open = wasMissed ? await find(undefined) : []
      for (const update of [...found, ...open]) for (const listener of listeners) listener(update)
    } catch (error) {
      log.warn({ err: error }, `updates of ${channel} are published later`)
      for (const id of changed) ids.add(id)
      isMissed ||= wasMissed
      plan()
    }
  }

  function plan(): void {
    if (isClosed) return
    timer ??= clock.setTimeout(() => {
      timer = undefined
      running = running.then(publish)
    }, GATHER_MS)
  }

  const stopListening = signals.listen(channel, (payload) => {
    if (listeners.size === 0) return
    if (payload) ids.add(Number(payload))
    else isMissed = true
    plan()
  })

  return {
    /** Calls `listener` with each event, at most twice a second. Returns a function that stops it. */
    listen(listener: (update: Update) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Resolves when the running query is done. */
    settle: (): Promise<void> => running,
    async close(): Promise<void> {
      isClosed = true
      stopListening()
      timer?.cancel()
      await running
    },
  }
}

/** Publishes the progress of campaigns. */
export function createCampaignEvents(needs: ProgressEventNeeds<CampaignUpdate>) {
  const { listen, settle, close } = createProgressEvents(needs, 'campaign_changed')
  return { onCampaign: listen, settle, close }
}
