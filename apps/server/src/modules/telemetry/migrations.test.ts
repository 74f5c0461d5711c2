import { createTestClickhouse } from '@isotherm/engines/testkit'
import { expect, test } from 'vitest'
import { createClickhouse } from '../../platform/clickhouse.ch.ts'
import { createLog } from '../../platform/log.ts'
import { migrateClickhouse } from '../../platform/migrate.ch.ts'
import { telemetryClickhouse } from './index.ts'
import { createReadingStore } from './store.ch.ts'
import type { StoredMessage } from './store.ts'

const log = createLog({ logLevel: 'silent' })

test('messages stored before their months were noted count as stored', async () => {
  const database = await createTestClickhouse()
  const client = createClickhouse({ clickhouseUrl: database.url })
  try {
    const { module, migrations } = telemetryClickhouse
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '005'))
    await migrateClickhouse(client, [{ module, migrations: older }], log)
    const received = Date.UTC(2026, 10, 20)
    const row = { device: 1, value: 20, quality: 0, node: 1, boot: 1, seq: 4, live: 1, metric: 12 }
    const values = ['2026-10-31 23:59:00', '2026-11-01 00:01:00'].map((ts) => ({ ...row, ts, received }))
    await client.insert({ table: 'readings', values, format: 'JSONEachRow' })
    await migrateClickhouse(client, [telemetryClickhouse], log)
    const found: StoredMessage[] = []
    await createReadingStore(client).readMessages(received - 1, (message) => found.push(message))
    expect(found).toEqual([{ node: 1, boot: 1, seq: 4 }])
  } finally {
    await client.close()
    await database.drop()
  }
})
