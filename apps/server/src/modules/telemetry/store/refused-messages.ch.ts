import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { TableCreation } from '../../../platform/clickhouse/table-change.ts'
import type { Clock } from '../../../platform/clock.ts'
import { createAcknowledgedWrites } from '../../../platform/tasks/acknowledged-writes.ts'
import type { MessageKind, StoredMessage } from '../messages/message-key.ts'
import { BacklogFullError } from './backlog-full.ts'

/**
 * Keys of messages that are refused as a whole or in part. Their rows in the store do not show that they are done, so
 * after a restart the gateway's numbers would have a gap, and it would buffer all later messages forever.
 */
export interface RefusedMessages {
  /** Resolves after the note is durable. */
  note(message: StoredMessage, of: MessageKind): Promise<void>
}

const GATHER_MS = 50
/** Limit of notes that wait for the store. Above it, no message is accepted. */
const MAX_WAITING = 50_000
/** Longer than the period in which repeated messages are recognised. */
const RETENTION_DAYS = 4

export const refusedMessages: TableCreation = {
  table: 'refused_messages',
  columns: `of LowCardinality(String),
  node UInt32,
  boot UInt32,
  seq UInt32,
  received DateTime64(3, 'UTC')`,
  engine: 'ReplacingMergeTree',
  storage: `ORDER BY (of, node, boot, seq) TTL toDateTime(received) + INTERVAL ${RETENTION_DAYS} DAY`,
  shardBy: 'node',
}

/** Condition for notes of one kind since the parameter {since}. */
export const isRefused = (of: MessageKind): string =>
  `of = '${of}' AND received >= fromUnixTimestamp64Milli({since: Int64})`

export function createRefusedMessages(client: ClickHouseClient, clock: Clock): RefusedMessages {
  const write = createAcknowledgedWrites<object>({
    clock,
    gatherMs: GATHER_MS,
    async write(values) {
      await client.insert({ table: 'refused_messages', values, format: 'JSONEachRow' })
    },
    // Numbers of a parsed message always fit into the table.
    isRefusal: () => false,
  })
  let waiting = 0

  return {
    async note({ gatewayId, boot, seq }, of) {
      if (waiting >= MAX_WAITING) throw new BacklogFullError()
      waiting += 1
      try {
        await write({ of, node: gatewayId, boot, seq, received: new Date(clock.now()).toISOString() })
      } finally {
        waiting -= 1
      }
    },
  }
}
