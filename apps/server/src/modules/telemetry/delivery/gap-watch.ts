import { type HistoryRequest, toDownTopic } from '@isotherm/contract/mqtt'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { Clock } from '../../../platform/clock.ts'
import type { Owners } from '../../../platform/replicas/owners.ts'
import { createSteadyClock } from '../../../platform/tasks/steady-clock.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import { createDueQueue } from '../presence/due-queue.ts'
import type { Gap, SeenMessages } from './seen-messages.ts'

/** Requests messages that are missing in the numbers of gateways. Every replica counts the requests, and the owner sends them. */
export interface GapWatch {
  /** A message of the gateway became durable. */
  note(gatewayId: number): void
  /** The gateway is online again: gaps that were requested without success are requested again. */
  retry(gatewayId: number): void
  close(): void
}

export interface GapWatchOptions {
  readonly clock: Clock
  readonly owners: Pick<Owners, 'owns' | 'onChanged'>
  readonly seen: Pick<SeenMessages, 'countGaps' | 'listGaps'>
  readonly findGateway: (id: number) => DirectoryEntry | undefined
  /** Sends at QoS 0: a lost request is repeated. */
  readonly publish: (topic: string, payload: string) => Promise<void>
  /** Counts gaps that were requested, and those of them that were filled. */
  readonly opened: (count: number) => void
  readonly closed: (count: number) => void
}

/**
 * Time in which a gap may fill by itself, then the pauses between requests, ms. After the last one the gap is given up.
 */
export const PAUSES_MS = [60_000, 600_000, HOUR_MS, 6 * HOUR_MS] as const
/** Requests to one gateway at the same time. */
const MAX_REQUESTS = 20
const VALID_MS = HOUR_MS

interface Requested {
  /** Requests so far, by any server. */
  times: number
  /** Whether this server sent one. */
  isOwn: boolean
  nextAt: number
}

interface Open {
  gaps: number
  /** By boot and last number: the key stays the same while the gap fills from its start. */
  requested: Map<string, Requested>
}

/** Number of gaps that this server requested; with `among`, only of those that are in it as well. */
function countRequested(
  requested: ReadonlyMap<string, Requested>,
  among?: ReadonlyMap<string, Requested>,
): number {
  let count = 0
  for (const [key, { isOwn }] of requested) if (isOwn && (!among || among.has(key))) count += 1
  return count
}

const keyOf = ({ boot, to }: Gap): string => `${boot}:${to}`

/** Messages are lost if a gateway or a broker loses its buffer. A late message is no gap: it has a minute to arrive. */
export function createGapWatch(options: GapWatchOptions): GapWatch {
  const { clock, owners, seen } = options
  const open = new Map<number, Open>()
  const steady = createSteadyClock(clock)
  const queue = createDueQueue(clock, steady, (ids) => {
    for (const id of ids) check(id, steady.now())
  })
  queue.start()

  function request(gateway: DirectoryEntry, { boot, from, to }: Gap): void {
    const request: HistoryRequest = {
      v: 1,
      id: `history-${boot}-${from}-${to}`,
      dev: gateway.serial,
      do: 'getHistory',
      args: { boot, from, to },
      iat: clock.now(),
      exp: clock.now() + VALID_MS,
    }
    // The broker is away: the failed request counts as well.
    options
      .publish(toDownTopic(gateway.tenant, gateway.serial, 'cmd'), JSON.stringify(request))
      .catch(() => undefined)
  }

  function check(gatewayId: number, now: number): void {
    const known = open.get(gatewayId)
    const gateway = options.findGateway(gatewayId)
    if (!known || !gateway) {
      open.delete(gatewayId)
      return
    }
    const { requested: before } = known
    const isOwner = owners.owns(gatewayId)
    known.requested = new Map()
    let requests = 0
    for (const gap of seen.listGaps(gatewayId)) {
      const requested = before.get(keyOf(gap)) ?? { times: 0, isOwn: false, nextAt: now + PAUSES_MS[0] }
      known.requested.set(keyOf(gap), requested)
      if (requested.nextAt > now || requested.times >= PAUSES_MS.length || requests >= MAX_REQUESTS) continue
      requests += 1
      if (isOwner) {
        request(gateway, gap)
        if (!requested.isOwn) options.opened(1)
        requested.isOwn = true
      }
      requested.times += 1
      requested.nextAt = now + (PAUSES_MS[requested.times] ?? 0)
    }
    options.closed(countRequested(before) - countRequested(known.requested, before))
    if (known.requested.size === 0) open.delete(gatewayId)
    else plan(gatewayId, known)
  }

  function plan(gatewayId: number, { requested }: Open): void {
    const waiting = [...requested.values()].filter(({ times }) => times < PAUSES_MS.length)
    if (waiting.length > 0) queue.put(gatewayId, Math.min(...waiting.map(({ nextAt }) => nextAt)))
  }

  /** The former owner may have died before its last request or with it. Gaps that were given up stay so. */
  function repeat(gatewayId: number, known: Open): void {
    const nextAt = steady.now() + PAUSES_MS[0]
    for (const requested of known.requested.values())
      if (requested.times > 0 && requested.times < PAUSES_MS.length)
        Object.assign(requested, { times: 0, nextAt: Math.min(requested.nextAt, nextAt) })
    plan(gatewayId, known)
  }
  owners.onChanged((gained) => {
    for (const [gatewayId, known] of open) if (gained(gatewayId)) repeat(gatewayId, known)
  })

  return {
    note(gatewayId) {
      const gaps = seen.countGaps(gatewayId)
      const known = open.get(gatewayId)
      if (gaps === (known?.gaps ?? 0)) return
      open.set(gatewayId, { gaps, requested: known?.requested ?? new Map() })
      // Checked within a second: then the minute of a new gap starts, or a requested gap turns out to be filled. Not
      // checked immediately, because a gateway that skips numbers has thousands of gaps.
      queue.put(gatewayId, steady.now())
    },
    retry(gatewayId) {
      const known = open.get(gatewayId)
      if (!known) return
      const nextAt = steady.now() + PAUSES_MS[0]
      for (const requested of known.requested.values())
        Object.assign(requested, { times: Math.min(requested.times, 1), nextAt })
      plan(gatewayId, known)
    },
    close: queue.close,
  }
}
