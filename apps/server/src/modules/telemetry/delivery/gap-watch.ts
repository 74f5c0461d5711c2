import { type HistoryRequest, toDownTopic } from '@isotherm/contract/mqtt'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { Clock } from '../../../platform/clock.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import { createDueQueue } from '../presence/due-queue.ts'
import type { Gap, SeenMessages } from './seen-messages.ts'

/** Asks nodes for messages that are missing in their numbers. */
export interface GapWatch {
  /** A message of the node became durable. */
  note(gatewayId: number): void
  /** The node came back: what was asked in vain is asked again. */
  retry(gatewayId: number): void
  close(): void
}

export interface GapWatchOptions {
  readonly clock: Clock
  readonly seen: Pick<SeenMessages, 'countGaps' | 'listGaps'>
  readonly findGateway: (id: number) => DirectoryEntry | undefined
  /** Sends at QoS 0: what was not heard is asked again. */
  readonly publish: (topic: string, payload: string) => Promise<void>
  /** Gaps that were asked for, and of these the ones that were filled. */
  readonly opened: (count: number) => void
  readonly closed: (count: number) => void
}

/** How long a gap may close by itself, and pauses between asking; after the last it is given up, ms. */
const PAUSES_MS = [60_000, 600_000, HOUR_MS, 6 * HOUR_MS] as const
/** Asked of a node at once. */
const MOST_ASKED = 20
const VALID_MS = HOUR_MS

interface Asked {
  times: number
  nextAt: number
}

interface Open {
  gaps: number
  /** By boot and end: a gap that fills from its beginning stays the same. */
  asked: Map<string, Asked>
}

/** How many were asked for; with `among`, of these alone. */
function countAsked(asked: ReadonlyMap<string, Asked>, among?: ReadonlyMap<string, Asked>): number {
  let count = 0
  for (const [key, { times }] of asked) if (times > 0 && (!among || among.has(key))) count += 1
  return count
}

const keyOf = ({ boot, to }: Gap): string => `${boot}:${to}`

/** Messages go missing where a node's buffer was lost, or a broker's. What is late is no gap: it gets a minute. */
export function createGapWatch(options: GapWatchOptions): GapWatch {
  const { clock, seen } = options
  const open = new Map<number, Open>()
  const queue = createDueQueue(clock, (ids, now) => {
    for (const id of ids) look(id, now)
  })
  queue.start()

  function ask(gateway: DirectoryEntry, { boot, from, to }: Gap, now: number): void {
    const request: HistoryRequest = {
      v: 1,
      id: `history-${boot}-${from}-${to}`,
      dev: gateway.serial,
      do: 'getHistory',
      args: { boot, from, to },
      iat: now,
      exp: now + VALID_MS,
    }
    // The broker is away: the next time it is asked counts as well.
    options
      .publish(toDownTopic(gateway.tenant, gateway.serial, 'cmd'), JSON.stringify(request))
      .catch(() => undefined)
  }

  function look(gatewayId: number, now: number): void {
    const known = open.get(gatewayId)
    const gateway = options.findGateway(gatewayId)
    if (!known || !gateway) {
      open.delete(gatewayId)
      return
    }
    const { asked: before } = known
    known.asked = new Map()
    let asking = 0
    for (const gap of seen.listGaps(gatewayId)) {
      const asked = before.get(keyOf(gap)) ?? { times: 0, nextAt: now + PAUSES_MS[0] }
      known.asked.set(keyOf(gap), asked)
      if (asked.nextAt > now || asked.times >= PAUSES_MS.length || asking >= MOST_ASKED) continue
      asking += 1
      ask(gateway, gap, now)
      if (asked.times === 0) options.opened(1)
      asked.times += 1
      asked.nextAt = now + (PAUSES_MS[asked.times] ?? 0)
    }
    options.closed(countAsked(before) - countAsked(known.asked, before))
    if (known.asked.size === 0) open.delete(gatewayId)
    else plan(gatewayId, known)
  }

  function plan(gatewayId: number, { asked }: Open): void {
    const waiting = [...asked.values()].filter(({ times }) => times < PAUSES_MS.length)
    if (waiting.length > 0) queue.put(gatewayId, Math.min(...waiting.map(({ nextAt }) => nextAt)))
  }

  return {
    note(gatewayId) {
      const gaps = seen.countGaps(gatewayId)
      const known = open.get(gatewayId)
      if (gaps === (known?.gaps ?? 0)) return
      open.set(gatewayId, { gaps, asked: known?.asked ?? new Map() })
      // Within a second the minute of a new gap begins, or one that was asked for is found filled; not at once, for a
      // node that jumps about in its numbers has thousands.
      queue.put(gatewayId, clock.now())
    },
    retry(gatewayId) {
      const known = open.get(gatewayId)
      if (!known) return
      const nextAt = clock.now() + PAUSES_MS[0]
      for (const asked of known.asked.values())
        Object.assign(asked, { times: Math.min(asked.times, 1), nextAt })
      plan(gatewayId, known)
    },
    close: queue.close,
  }
}
