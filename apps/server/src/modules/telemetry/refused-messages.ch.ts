import type { ClickHouseClient } from '../../platform/clickhouse.ch.ts'
import type { Clock } from '../../platform/clock.ts'
import { BacklogFullError } from './group-commit.ts'
import type { StoredMessage } from './store.ts'

/** What a message would have been kept as. */
export type RefusedOf = 'readings' | 'frames'

/**
 * Numbers of messages of which nothing is kept, or only a part: what is stored does not say that they are done with, and a
 * node's numbers would have a gap after a restart; the node would hold for ever what comes after it.
 */
export interface RefusedMessages {
  /** Resolves when it is durable; rejects when it is not. */
  note(message: StoredMessage, of: RefusedOf): Promise<void>
}

const GATHER_MS = 50
/** What may wait for the store; above it nothing more is taken. */
const MOST_WAITING = 50_000
/** Longer than messages are known by their numbers. */
const KEPT_DAYS = 4

export const refusedMessages = `CREATE TABLE IF NOT EXISTS refused_messages (
  of LowCardinality(String),
  node UInt32,
  boot UInt32,
  seq UInt32,
  received DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree ORDER BY (of, node, boot, seq) TTL toDateTime(received) + INTERVAL ${KEPT_DAYS} DAY`

/** Those of one kind since an instant, {since}. */
export const isRefused = (of: RefusedOf): string =>
  `of = '${of}' AND received >= fromUnixTimestamp64Milli({since: Int64})`

/** Notes them a group at a time, one group after the other. */
export function createRefusedMessages(client: ClickHouseClient, clock: Clock): RefusedMessages {
  let gathering: { readonly values: object[]; readonly stored: Promise<void> } | undefined
  let running: Promise<void> = Promise.resolve()
  let waiting = 0

  const gatherSome = (): Promise<void> =>
    new Promise((resolve) => {
      clock.setTimeout(resolve, GATHER_MS)
    })

  async function storeAfter(before: Promise<void>, values: readonly object[]): Promise<void> {
    await Promise.all([before, gatherSome()])
    gathering = undefined
    await client.insert({ table: 'refused_messages', values, format: 'JSONEachRow' })
  }

  function gather() {
    const values: object[] = []
    const stored = storeAfter(running, values)
    running = stored.catch(() => undefined)
    return { values, stored }
  }

  return {
    async note({ node, boot, seq }, of) {
      if (waiting >= MOST_WAITING) throw new BacklogFullError()
      waiting += 1
      gathering ??= gather()
      gathering.values.push({ of, node, boot, seq, received: new Date(clock.now()).toISOString() })
      try {
        await gathering.stored
      } finally {
        waiting -= 1
      }
    },
  }
}
