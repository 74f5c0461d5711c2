import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { startPollLoop } from '../../../platform/tasks/poll-loop.ts'
import { repeatUntilDone } from '../../../platform/tasks/repeat-until-done.ts'
import { type DeliveryError, toDeliveryError } from './delivery-fault.ts'
import type { DueNotice, NoticeClaim } from './notices.pg.ts'
import type { Deliver } from './webhook.ts'

export interface SenderNeeds {
  /** Stores notices for pending notifications; returns the number of alarms. */
  readonly storeDue: (now: number) => Promise<number>
  readonly take: (query: NoticeClaim) => Promise<readonly DueNotice[]>
  readonly recordSent: (notice: DueNotice, at: number) => Promise<void>
  readonly recordFailed: (
    notice: DueNotice,
    failure: Pick<DeliveryError, 'fault' | 'reached'>,
    nextAt: number | undefined,
  ) => Promise<void>
  readonly deliver: Deliver
  readonly clock: Clock
  readonly log: Log
}

export interface Sender {
  /** Checks for notices soon instead of after the pause. */
  wake(): void
  /** Ends once the notices in progress are delivered or failed. Another replica sends the rest. */
  close(): Promise<void>
}

/** Pause between checks. Changes wake the sender; retries and the end of a silence wait for a check. */
const PAUSE_MS = 3_000
const AT_ONCE = 64
/** Pause of a target after a failure: its other notices would probably fail too. */
const REST_MS = PAUSE_MS
/** Longer than a delivery may take. */
const LEASE_MS = MINUTE_MS
const MAX_ATTEMPTS = 12
const FIRST_PAUSE_MS = 5_000
const MAX_PAUSE_MS = 4 * HOUR_MS

/**
 * Pause after a number of failed attempts, ms: 5 s, tripled with each attempt, at most 4 h. undefined after the
 * twelfth, which ends the retries some 17 hours after the first.
 */
export const toPauseMs = (attempts: number): number | undefined =>
  attempts >= MAX_ATTEMPTS ? undefined : Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 3 ** (attempts - 1))

/** Sends notices of alarms to targets. Notices of all replicas are stored in the database until they are delivered. */
export function startSender(needs: SenderNeeds): Sender {
  const { clock, log } = needs
  let isClosed = false
  const sending = new Map<DueNotice, Promise<void>>()
  /** End of the pause of failed targets, by `clock.elapsed`. */
  const resting = new Map<number, number>()

  async function send(notice: DueNotice): Promise<void> {
    const { channel, language, url, secret, key, body, attempts, reached } = notice
    const sentAtS = Math.floor(clock.now() / 1000)
    try {
      await needs.deliver({ channel, language, url, secret, key, body, sentAtS, reached })
    } catch (error) {
      resting.set(notice.targetId, clock.elapsed() + REST_MS)
      const pauseMs = toPauseMs(attempts)
      const details = { err: error, target: notice.targetId, notice: key, attempts }
      if (pauseMs === undefined) log.error(details, 'could not deliver an alarm notice; no more retries')
      else log.warn(details, 'could not deliver an alarm notice; retrying')
      await needs.recordFailed(
        notice,
        toDeliveryError(error),
        pauseMs === undefined ? undefined : clock.now() + pauseMs,
      )
      return
    }
    await needs.recordSent(notice, clock.now())
  }

  /** Sends a notice in the background, so that a slow target delays only its own notices. */
  function launch(notice: DueNotice): void {
    const sent = send(notice)
      .catch((error: unknown) =>
        log.warn({ err: error, notice: notice.key }, 'could not record the delivery of an alarm notice'),
      )
      .finally(() => {
        sending.delete(notice)
        if (![...sending.keys()].some(({ targetId }) => targetId === notice.targetId)) loop.wake()
      })
    sending.set(notice, sent)
  }

  function listResting(): number[] {
    for (const [targetId, until] of resting) if (until <= clock.elapsed()) resting.delete(targetId)
    return [...resting.keys()]
  }

  async function work(): Promise<void> {
    await repeatUntilDone(() => needs.storeDue(clock.now()), { batchSize: 1, isStopped: () => isClosed })
    while (!isClosed && sending.size < AT_ONCE) {
      const now = clock.now()
      const due = await needs.take({
        now,
        limit: AT_ONCE - sending.size,
        leaseMs: LEASE_MS,
        sending: [...sending.keys()],
        resting: listResting(),
      })
      if (due.length === 0) return
      for (const notice of due) launch(notice)
    }
  }

  const loop = startPollLoop({
    clock,
    work,
    pauseMs: PAUSE_MS,
    gatherMs: 0,
    onError: (error) => log.warn({ err: error }, 'could not send alarm notices; retrying'),
  })
  return {
    wake: loop.wake,
    async close() {
      isClosed = true
      await loop.close()
      await Promise.all(sending.values())
    },
  }
}
