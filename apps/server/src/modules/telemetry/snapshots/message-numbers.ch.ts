import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { type ClickHouseClient, streamRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { toIn } from '../../../platform/clickhouse/cluster.ts'
import type { TableChange, TableCreation } from '../../../platform/clickhouse/table-change.ts'
import { createSeenMessages } from '../delivery/seen-messages.ts'
import { type IdRanges, isInRanges } from '../messages/id-ranges.ts'
import type { MessageKind, StoredRun } from '../messages/message-key.ts'
import { MAX_BOOTS } from '../messages/number-runs.ts'
import type { SnapshotPart } from './snapshot-writer.ts'

/**
 * Runs of message numbers that are done, from `first` to `seq`. A run from 0 is a watermark. A server reads only the
 * messages since the last snapshot when it starts; without this table it would not know the first ones of a gateway that
 * has been running for longer, and would send it no watermark until its next boot.
 */
export const watermarks: TableCreation = {
  table: 'watermarks',
  columns: `of LowCardinality(String),
  node UInt32,
  boot UInt32,
  seq UInt32,
  written DateTime('UTC')`,
  engine: 'ReplacingMergeTree(seq)',
  storage: 'ORDER BY (of, node, boot) TTL written + INTERVAL 400 DAY',
  shardBy: 'node',
}

/** Runs behind a gap as well; rows from before it are watermarks and start at 0. */
export const runsBehindGaps: TableChange = {
  table: 'watermarks',
  columns: 'ADD COLUMN IF NOT EXISTS first UInt32 AFTER boot',
  storage: 'MODIFY ORDER BY (of, node, boot, first)',
}

/** Gateways between two turns of other work. */
const GATEWAYS_AT_ONCE = 2_000

export interface NumbersPartOptions {
  readonly client: ClickHouseClient
  readonly of: MessageKind
  /** All runs of numbers that are done. */
  readonly list: () => Iterable<StoredRun>
  readonly now: () => number
}

/** Stores the runs that grew; the longer one of two with the same beginning replaces the other. */
export function createNumbersPart({ client, of, list, now }: NumbersPartOptions): SnapshotPart {
  let stored = createSeenMessages()
  return {
    async write() {
      const current = createSeenMessages()
      const written = Math.floor(now() / 1_000)
      const values: object[] = []
      let gateways = 0
      let last = 0
      for (const { gatewayId, boot, from, to } of list()) {
        if (gatewayId !== last) gateways += 1
        // Not between the runs of a gateway: a message that arrives meanwhile joins two of them.
        if (gatewayId !== last && gateways % GATEWAYS_AT_ONCE === 0) await setImmediate()
        last = gatewayId
        current.addRun(gatewayId, boot, from, to)
        // Runs only grow: a stored one with the same end has the same beginning.
        if (stored.findEnd(gatewayId, boot, from) !== to)
          values.push({ of, node: gatewayId, boot, first: from, seq: to, written })
      }
      if (values.length > 0) await client.insert({ table: 'watermarks', values, format: 'JSONEachRow' })
      // A boot that is forgotten leaves it as well.
      stored = current
    },
  }
}

const row = z.tuple([z.number(), z.number(), z.number(), z.number()])

/** Calls `take` for the stored runs of the newest boots of each of `gateways`, or of all, by gateway and boot. */
export async function readNumbers(
  client: ClickHouseClient,
  of: MessageKind,
  take: (run: StoredRun) => void,
  gateways?: IdRanges,
): Promise<void> {
  const isOurs = `of = {of: String} AND ${isInRanges('node', gateways)}`
  const query = `SELECT node, boot, first, max(seq) FROM watermarks
    WHERE ${isOurs} AND (node, boot) ${toIn(client)} (
      SELECT node, boot FROM watermarks WHERE ${isOurs}
      GROUP BY node, boot ORDER BY node, boot DESC LIMIT ${MAX_BOOTS} BY node)
    GROUP BY node, boot, first ORDER BY node, boot, first`
  for await (const values of streamRows(client, query, { of })) {
    const [gatewayId, boot, from, to] = row.parse(values)
    take({ gatewayId, boot, from, to })
  }
}
