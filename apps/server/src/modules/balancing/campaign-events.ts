import type { Campaign } from '@isotherm/contract/balancing/campaign'
import type { Clock, Timer } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { SignalChannel, Signals } from '../../platform/signals/signals.ts'

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

export interface NewsNeeds<News> {
  readonly signals: Pick<Signals, 'listen'>
  readonly clock: Clock
  readonly log: Log
  /** How far these are; without numbers every one that has not ended. */
  readonly find: (ids: readonly number[] | undefined) => Promise<readonly News[]>
}

/** Nobody is told of the same thing more often than this, ms. */
const GATHER_MS = 500

/** Tells how things get on, whichever replica moved them: all of a moment together, one look after the other. */
export function createNews<News>(
  { signals, clock, log, find }: NewsNeeds<News>,
  channel: Extract<SignalChannel, 'campaign_changed' | 'strategy_changed'>,
) {
  const heard = new Set<(news: News) => void>()
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
      log.warn({ err: error }, `news of ${channel} are told later`)
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

  const stopListening = signals.listen(channel, (payload) => {
    if (heard.size === 0) return
    if (payload) ids.add(Number(payload))
    else isMissed = true
    plan()
  })

  return {
    /** Calls `listener` with each, at most twice a second. Returns how to stop. */
    listen(listener: (news: News) => void): () => void {
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

/** Tells how campaigns get on. */
export function createCampaignNews(needs: NewsNeeds<CampaignNews>) {
  const { listen, settle, close } = createNews(needs, 'campaign_changed')
  return { onCampaign: listen, settle, close }
}
