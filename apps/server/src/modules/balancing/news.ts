import type { Campaign } from '@isotherm/contract/balancing'
import type { Clock, Timer } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Signals } from '../../platform/signals.ts'

/** How far a campaign is. */
export type CampaignProgress = Pick<
  Campaign,
  'id' | 'node' | 'version' | 'state' | 'round' | 'moves' | 'moved'
>

/** How far a campaign is, and where its node is now. */
export interface CampaignNews {
  readonly progress: CampaignProgress
  readonly path: string
}

export interface CampaignNewsNeeds {
  readonly signals: Pick<Signals, 'listen'>
  readonly clock: Clock
  readonly log: Log
  /** How far these campaigns are; without numbers every one that has not ended. */
  readonly find: (ids: readonly number[] | undefined) => Promise<readonly CampaignNews[]>
}

/** A campaign is told of no more often than this, ms. */
const GATHER_MS = 500

/** Tells how campaigns get on, whichever replica moved them: all of a moment together, one look after the other. */
export function createCampaignNews({ signals, clock, log, find }: CampaignNewsNeeds) {
  const heard = new Set<(news: CampaignNews) => void>()
  const ids = new Set<number>()
  let isMissed = false
  let isClosed = false
  let timer: Timer | undefined
  let telling: Promise<void> = Promise.resolve()

  async function tell(): Promise<void> {
    const changed = [...ids]
    const wasMissed = isMissed
    ids.clear()
    isMissed = false
    try {
      const found = changed.length > 0 ? await find(changed) : []
      const open = wasMissed ? await find(undefined) : []
      for (const news of [...found, ...open]) for (const listener of heard) listener(news)
    } catch (error) {
      log.warn({ err: error }, 'campaigns are told of later')
      for (const id of changed) ids.add(id)
      isMissed ||= wasMissed
      plan()
    }
  }

  function plan(): void {
    if (isClosed) return
    timer ??= clock.setTimeout(() => {
      timer = undefined
      telling = telling.then(tell)
    }, GATHER_MS)
  }

  const stopListening = signals.listen('campaign_changed', (payload) => {
    if (heard.size === 0) return
    if (payload) ids.add(Number(payload))
    else isMissed = true
    plan()
  })

  return {
    /** Calls `listener` with how far a campaign is, at most twice a second each. Returns how to stop. */
    onCampaign(listener: (news: CampaignNews) => void): () => void {
      heard.add(listener)
      return () => heard.delete(listener)
    },
    /** Resolves when what is being told has been. */
    settle: (): Promise<void> => telling,
    async close(): Promise<void> {
      isClosed = true
      stopListening()
      timer?.cancel()
      await telling
    },
  }
}
