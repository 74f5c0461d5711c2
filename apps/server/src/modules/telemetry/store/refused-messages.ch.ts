import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { StoredMessage } from '../messages/message-key.ts'
import { BacklogFullError } from './backlog-full.ts'
import { createGather } from './write-groups.ts'

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

export function createRefusedMessages(client: ClickHouseClient, clock: Clock): RefusedMessages {
  const gather = createGather<object, void>(clock, GATHER_MS, async (values) => {
    await client.insert({ table: 'refused_messages', values, format: 'JSONEachRow' })
  })
  let waiting = 0

  return {
    async note({ node, boot, seq }, of) {
      if (waiting >= MOST_WAITING) throw new BacklogFullError()
      waiting += 1
      try {
        await gather.add([{ of, node, boot, seq, received: new Date(clock.now()).toISOString() }])
      } finally {
        waiting -= 1
      }
    },
  }
}
