import type { ClickHouseClient } from '../../platform/clickhouse.ch.ts'
import type { Clock } from '../../platform/clock.ts'
import type { StoredMessage } from './store.ts'

/** What a message would have been kept as. */
export type RefusedOf = 'readings' | 'frames'

/**
 * Numbers of messages of which nothing is kept. They are done with like those that are stored: without them a node's
 * numbers would have a gap after a restart, and the node would hold for ever what comes after it.
 */
export interface RefusedMessages {
  /** Resolves when it is durable; rejects when it is not. */
  note(message: StoredMessage, of: RefusedOf): Promise<void>
}

const GATHER_MS = 50
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

export function createRefusedMessages(client: ClickHouseClient, clock: Clock): RefusedMessages {
  let gathering: { readonly values: object[]; readonly stored: Promise<void> } | undefined

  function gather() {
    const values: object[] = []
    const stored = new Promise<void>((resolve) => {
      clock.setTimeout(resolve, GATHER_MS)
    }).then(async () => {
      gathering = undefined
      await client.insert({ table: 'refused_messages', values, format: 'JSONEachRow' })
    })
    return { values, stored }
  }

  return {
    note({ node, boot, seq }, of) {
      gathering ??= gather()
      gathering.values.push({ of, node, boot, seq, received: new Date(clock.now()).toISOString() })
      return gathering.stored
    },
  }
}
