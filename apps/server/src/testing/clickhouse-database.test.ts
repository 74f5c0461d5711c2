import { createTestClickhouse } from '@isotherm/engines/testkit'
import { expect, test } from 'vitest'
import { clickhouseMigrations } from '../modules.ts'
import { type ClickHouseClient, createClickhouse } from '../platform/clickhouse/clickhouse.ch.ts'
import { migrateClickhouse } from '../platform/clickhouse/migrate.ch.ts'
import { createLog } from '../platform/log.ts'
import { createServerClickhouse } from './clickhouse-database.testkit.ts'

/** The definitions of all tables, and the recorded changes. */
async function describe(client: ClickHouseClient): Promise<readonly string[]> {
  const tables = await client.query({
    query: `SELECT replaceOne(create_table_query, currentDatabase(), 'database') FROM system.tables
      WHERE database = currentDatabase() ORDER BY name`,
    format: 'TabSeparatedRaw',
  })
  const changes = await client.query({
    query: 'SELECT name FROM ch_migrations ORDER BY name',
    format: 'TabSeparatedRaw',
  })
  return [await tables.text(), await changes.text()]
}

test('the tables of tests are those that a server creates', async () => {
  const [copied, created] = await Promise.all([createServerClickhouse(), createTestClickhouse()])
  const [copy, store] = [copied, created].map(({ url }) => createClickhouse({ clickhouseUrl: url }))
  if (!copy || !store) throw new Error('no clients')
  try {
    await migrateClickhouse(store, clickhouseMigrations, createLog({ logLevel: 'silent' }))
    expect(await describe(copy)).toEqual(await describe(store))
  } finally {
    await Promise.all([copy.close(), store.close()])
    await Promise.all([copied.drop(), created.drop()])
  }
})
