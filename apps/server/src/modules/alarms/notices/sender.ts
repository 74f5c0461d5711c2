import type { TargetFault } from '@isotherm/contract/alarms/alarms'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { startPollLoop } from '../../../platform/tasks/poll-loop.ts'
import { toDeliveryError } from './delivery-fault.ts'
import type { DueNotice, TakeQuery } from './notices.pg.ts'
import type { Deliver } from './webhook.ts'

export interface SenderNeeds {
  /** Decides what is to be told; the number of alarms it decided about. */
  readonly decide: (now: number) => Promise<number>
  readonly take: (query: TakeQuery) => Promise<readonly DueNotice[]>
  readonly noteSent: (notice: DueNotice, at: number) => Promise<void>
  readonly noteFailed: (notice: DueNotice, fault: TargetFault, nextAt: number | undefined) => Promise<void>
  readonly deliver: Deliver
  readonly clock: Clock
  readonly log: Log
}

export interface Sender {
  /** Looks for something to tell now instead of at the next round. */
  wake(): void
  /** Ends when what is being sent has arrived or failed; what it did not send another does. */
  close(): Promise<void>
}

/** Whatever changes wakes it; what is repeated, and the end of a silence, wait for a round. */
const ROUND_MS = 3_000
const AT_ONCE = 64
/** How long a target that failed is left in peace: what else waits for it fares hardly better. */
const REST_MS = ROUND_MS
/** Longer than a message may take. */
const LEASE_MS = MINUTE_MS
const MOST_ATTEMPTS = 12
const FIRST_PAUSE_MS = 5_000
const MOST_PAUSE_MS = 4 * HOUR_MS

/** How long to wait after so many attempts; undefined when it is given up. Twelve attempts take some 17 hours. */
const toPauseMs = (attempts: number): number | undefined =>
  attempts >= MOST_ATTEMPTS ? undefined : Math.min(MOST_PAUSE_MS, FIRST_PAUSE_MS * 3 ** (attempts - 1))

/** Tells targets of alarms, whichever replica raised them: what is to be sent stands in the database until it was. */
export function startSender(needs: SenderNeeds): Sender {
  const { clock, log } = needs
  let isClosed = false
  const sending = new Map<DueNotice, Promise<void>>()
  /** Until when targets that failed are left in peace, Unix ms. */
  const resting = new Map<number, number>()

  async function send(notice: DueNotice): Promise<void> {
    const { url, secret, key, body, attempts } = notice
    const sentAtS = Math.floor(clock.now() / 1000)
    try {
      await needs.deliver({ url, secret, key, body, sentAtS })
    } catch (error) {
      resting.set(notice.targetId, clock.now() + REST_MS)
      const pauseMs = toPauseMs(attempts)
      const given = { err: error, target: notice.targetId, notice: key, attempts }
      if (pauseMs === undefined) log.error(given, 'an alarm could not be told and is given up')
      else log.warn(given, 'an alarm could not be told yet')
      await needs.noteFailed(
        notice,
        toDeliveryError(error).fault,
        pauseMs === undefined ? undefined : clock.now() + pauseMs,
      )
      return
    }
    await needs.noteSent(notice, clock.now())
  }

  /** Sends while the round goes on: nobody waits for a slow target but those who wait for that one. */
  function launch(notice: DueNotice): void {
    const sent = send(notice)
      .catch((error: unknown) =>
        log.warn({ err: error, notice: notice.key }, 'what became of an alarm that was told is not noted'),
      )
      .finally(() => {
        sending.delete(notice)
        if (![...sending.keys()].some(({ targetId }) => targetId === notice.targetId)) rounds.wake()
      })
    sending.set(notice, sent)
  }

  function listResting(now: number): number[] {
    for (const [targetId, until] of resting) if (until <= now) resting.delete(targetId)
    return [...resting.keys()]
  }

  async function work(): Promise<void> {
    while (!isClosed && (await needs.decide(clock.now())) > 0);
    while (!isClosed && sending.size < AT_ONCE) {
      const now = clock.now()
      const due = await needs.take({
        now,
        limit: AT_ONCE - sending.size,
        leaseMs: LEASE_MS,
        sending: [...sending.keys()],
        resting: listResting(now),
      })
      if (due.length === 0) return
      for (const notice of due) launch(notice)
    }
  }

  const rounds = startPollLoop({
    clock,
    work,
    pauseMs: ROUND_MS,
    gatherMs: 0,
    onError: (error) => log.warn({ err: error }, 'could not send alarm notices; retrying'),
  })
  return {
    wake: rounds.wake,
    async close() {
      isClosed = true
      await rounds.close()
      await Promise.all(sending.values())
    },
  }
}
