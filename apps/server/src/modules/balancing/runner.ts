import { randomUUID } from 'node:crypto'
import type { Log } from '../../platform/log.ts'
import { startRounds } from '../../platform/rounds.ts'
import type { Signals } from '../../platform/signals.ts'
import { LostCampaign, letGo, takeCampaigns } from './lease.pg.ts'
import { createLook, type LookNeeds } from './look.ts'

export interface RunnerNeeds extends LookNeeds {
  readonly signals: Pick<Signals, 'listen'>
  readonly log: Log
}

export interface CampaignRunner {
  /** Ends after the looks under way; another server, or the next start, goes on. */
  close(): Promise<void>
}

/** Campaigns looked at side by side. */
const AT_ONCE = 8
const PAUSE_MS = 2_000
const GATHER_MS = 100
/** A look that takes longer is done again by whoever comes next; what it then would store is refused. */
const LEASE_MS = 30_000
const RETRY_MS = 5_000

/** Takes campaigns on, each as far as it goes, beside any number of other replicas. */
export function startCampaignRunner(needs: RunnerNeeds): CampaignRunner {
  const { db, clock, log, signals } = needs
  const worker = randomUUID()
  const look = createLook(needs)
  let closed = false

  /** When it is to be looked at again, Unix ms. */
  async function goOn(id: number): Promise<number> {
    const until = clock.now() + LEASE_MS / 2
    for (;;) {
      const next = await look(id, worker)
      const now = clock.now()
      if (next > now || closed || now > until) return next
    }
  }

  async function takeOn(id: number): Promise<void> {
    try {
      await letGo(db, id, worker, await goOn(id))
    } catch (error) {
      if (error instanceof LostCampaign) return
      log.warn({ err: error, campaign: id }, 'a campaign could not go on')
      await letGo(db, id, worker, clock.now() + RETRY_MS)
    }
  }

  const rounds = startRounds({
    ...{ clock, pauseMs: PAUSE_MS, gatherMs: GATHER_MS },
    async work() {
      const now = clock.now()
      const ids = await takeCampaigns(db, { worker, now, leaseUntil: now + LEASE_MS, limit: AT_ONCE })
      await Promise.all(ids.map(takeOn))
      if (ids.length === AT_ONCE) rounds.wake()
    },
    failed: (err) => log.warn({ err }, 'could not look at campaigns'),
  })
  const stopListening = signals.listen('campaign_changed', () => rounds.wake())

  return {
    async close() {
      closed = true
      stopListening()
      await rounds.close()
    },
  }
}
