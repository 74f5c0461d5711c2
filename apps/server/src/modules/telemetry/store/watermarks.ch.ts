import { z } from 'zod'
import { type ClickHouseClient, streamRows } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { MessageKind, StoredRun } from '../messages/message-key.ts'
import { MAX_BOOTS } from '../messages/number-runs.ts'

/**
 * Numbers up to which all messages of a boot are done, from 0 on. A server reads only the messages of the last days when it
 * starts; without this it would not know the first ones of a gateway that has been running for longer, and would send it no
 * watermark until its next boot.
 */
export const watermarks = `CREATE TABLE IF NOT EXISTS watermarks (
  of LowCardinality(String),
  node UInt32,
  boot UInt32,
  seq UInt32,
  written DateTime('UTC')
) ENGINE = ReplacingMergeTree(seq) ORDER BY (of, node, boot) TTL written + INTERVAL 400 DAY`

export interface StoredWatermark {
  readonly gatewayId: number
  readonly boot: number
  readonly seq: number
}

/** Stores watermarks; a greater one of the same boot replaces a smaller one. */
export async function insertWatermarks(
  client: ClickHouseClient,
  of: MessageKind,
  rows: readonly StoredWatermark[],
  now: number,
): Promise<void> {
  const written = Math.floor(now / 1_000)
  const values = rows.map(({ gatewayId, boot, seq }) => ({ of, node: gatewayId, boot, seq, written }))
  await client.insert({ table: 'watermarks', values, format: 'JSONEachRow' })
}

const row = z.tuple([z.number(), z.number(), z.number()])

/** Calls `take` for the messages below the watermarks of the newest boots of each gateway, by gateway and boot. */
export async function readWatermarks(
  client: ClickHouseClient,
  of: MessageKind,
  take: (run: StoredRun) => void,
): Promise<void> {
  const query = `SELECT node, boot, seq
    FROM (SELECT node, boot, max(seq) AS seq FROM watermarks WHERE of = {of: String} GROUP BY node, boot
      ORDER BY node, boot DESC LIMIT ${MAX_BOOTS} BY node)
    ORDER BY node, boot`
  for await (const values of streamRows(client, query, { of })) {
    const [gatewayId, boot, to] = row.parse(values)
    take({ gatewayId, boot, from: 0, to })
  }
}
