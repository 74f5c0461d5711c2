import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { throwRefusedRows } from '../store/refused-rows.ch.ts'
import type { QuarantineEntry } from './quarantine-sampler.ts'

/**
 * Stores entries of the quarantine. Rejects with RefusedRowsError if the store refuses some of them because of their
 * content; then none is stored. Rejects with another error while the store is away.
 */
export async function insertQuarantine(
  client: ClickHouseClient,
  entries: readonly QuarantineEntry[],
): Promise<void> {
  const values = entries.map(({ gateway, bytes, received, ...entry }) => ({
    ...entry,
    node: gateway,
    received: new Date(received).toISOString(),
    bytes: Buffer.from(bytes).toString('latin1'),
  }))
  await throwRefusedRows(() => client.insert({ table: 'quarantine', format: 'JSONEachRow', values }))
}
