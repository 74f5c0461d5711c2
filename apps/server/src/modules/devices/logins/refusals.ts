import { type RefusalReason, refusalReason } from '@isotherm/contract/endpoints/devices/gateway-logins'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Refusal } from '../../../platform/mqtt/broker-port.ts'
import { startPollLoop } from '../../../platform/tasks/poll-loop.ts'
import type { NewRefusals } from './refusal-store.pg.ts'

/** Refusals of the same gateway and reason within this time are one row and one line of the log. */
const GATHER_MS = 1_000
const PAUSE_MS = 60_000
/** Gateways and reasons between two writes; further ones are only counted in the log. */
const MAX_WAITING = 1_000
/** Different faults and addresses of strangers between two lines of the log; further ones are not logged. */
const MAX_STRANGERS = 100
const MAX_TEXT = 256

export interface RefusalsNeeds {
  readonly clock: Clock
  readonly log: Log
  readonly store: (refusals: readonly NewRefusals[]) => Promise<void>
}

/** What is logged of connections that end before anybody knows whose they are. */
const strangers: Readonly<Record<string, string>> = {
  'handshake-failed': 'TLS handshakes failed',
  'too-many-pending': 'connections were closed before their sign-in, because there were too many of them',
  'too-many-connections': 'connections were refused, because there were too many',
}

/** What the embedded broker refused, with its reason, for the people who look after the gateways. */
export interface Refusals {
  record(refusal: Refusal): void
  /** Stores what is waiting. */
  close(): Promise<void>
}

/** A text that PostgreSQL stores: without NUL and lone surrogates. */
const toText = (text: string): string => text.replaceAll('\u0000', '').toWellFormed().slice(0, MAX_TEXT)

/** The reason for users; undefined for what is no fault of a gateway, such as a full store. */
function toReason({ reason, detail }: Refusal): RefusalReason | undefined {
  if (reason === 'publish-denied' || reason === 'subscribe-denied') return 'wrong-topic'
  return reason === 'not-authenticated' ? refusalReason.safeParse(detail).data : undefined
}

export function createRefusals({ clock, log, store }: RefusalsNeeds): Refusals {
  let waiting = new Map<string, NewRefusals>()
  let dropped = 0
  /** Ended connections of strangers by fault and address. */
  let ended = new Map<string, { readonly text: string; readonly detail: string; count: number }>()

  function logStrangers(): void {
    for (const { text, ...facts } of ended.values()) log.warn(facts, text)
    ended = new Map()
  }

  function countStranger(text: string, detail: string): void {
    const key = `${text} ${detail}`
    const before = ended.get(key)
    if (before) before.count += 1
    else if (ended.size < MAX_STRANGERS) ended.set(key, { text, detail, count: 1 })
  }

  async function write(): Promise<void> {
    logStrangers()
    const refusals = [...waiting.values()]
    if (dropped > 0) log.warn({ dropped }, 'too many different gateways were refused to store all of them')
    dropped = 0
    if (refusals.length === 0) return
    waiting = new Map()
    for (const { user, reason, topic, address, count } of refusals) {
      log.warn({ user, reason, topic, address, count }, 'the broker refused a gateway')
    }
    await store(refusals)
  }

  const loop = startPollLoop({
    clock,
    work: write,
    pauseMs: PAUSE_MS,
    gatherMs: GATHER_MS,
    // A lost report is in the log.
    onError: (error) => log.warn({ err: error }, 'could not store refused sign-ins'),
  })

  return {
    record(refusal) {
      const text = strangers[refusal.reason]
      if (text !== undefined) {
        countStranger(text, toText(refusal.detail))
        return
      }
      const reason = toReason(refusal)
      if (reason === undefined) return
      const { tenant, gateway: serial } = refusal
      const key = `${tenant}/${serial}/${reason}`
      const before = waiting.get(key)
      if (!before && waiting.size >= MAX_WAITING) {
        dropped += 1
        return
      }
      const now = clock.now()
      waiting.set(key, {
        tenant,
        serial,
        reason,
        user: toText(refusal.user),
        topic: reason === 'wrong-topic' ? toText(refusal.detail) : '',
        address: toText(refusal.address),
        count: (before?.count ?? 0) + 1,
        firstAt: before?.firstAt ?? now,
        lastAt: now,
      })
      loop.wake()
    },
    async close() {
      await loop.close()
      await write().catch((error: unknown) => log.warn({ err: error }, 'could not store refused sign-ins'))
    },
  }
}
