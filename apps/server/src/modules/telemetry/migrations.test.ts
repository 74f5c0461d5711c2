import { createTestClickhouse } from '@isotherm/engines/testkit'
import { expect, test } from 'vitest'
import { type ClickHouseClient, createClickhouse } from '../../platform/clickhouse/clickhouse.ch.ts'
import { migrateClickhouse } from '../../platform/clickhouse/migrate.ch.ts'
import { createLog } from '../../platform/log.ts'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import { telemetryClickhouse } from './index.ts'
import type { StoredRun } from './messages/message-key.ts'
import { createListRawFrames } from './raw/raw-list.ch.ts'
import { readStored } from './store/stored-runs.ch.ts'

const log = createLog({ logLevel: 'silent' })

test('messages that were stored before the column of months existed still count as stored', async () => {
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
    const found: StoredRun[] = []
    await readStored(client, received - 1, (run) => found.push(run))
    expect(found).toEqual([{ gatewayId: 1, boot: 1, from: 4, to: 4 }])
    // The older program does not start on it.
    await expect(migrateClickhouse(client, [{ module, migrations: older }], log, '0.4.0')).rejects.toThrow(
      /ClickHouse are newer than this program \(telemetry\/005.*; last started with version 0\.4\.0\)(?:.|\n)*要回退/,
    )
  } finally {
    await client.close()
    await database.drop()
  }
})

const readDefinition = async (client: ClickHouseClient): Promise<string> => {
  const answer = await client.query({
    query:
      "SELECT create_table_query FROM system.tables WHERE database = currentDatabase() AND name = 'readings'",
    format: 'TabSeparatedRaw',
  })
  return answer.text()
}

test('the engine merges many parts of the readings at a time', async () => {
  const database = await createTestClickhouse()
  const client = createClickhouse({ clickhouseUrl: database.url })
  try {
    await migrateClickhouse(client, [telemetryClickhouse], log)
    expect(await readDefinition(client)).toMatch(/SETTINGS .*\bmerge_selector_base = 10\b/)
  } finally {
    await client.close()
    await database.drop()
  }
})

test('a ClickHouse without a setting works without it, and gets the setting once it supports it', async () => {
  const database = await createTestClickhouse()
  const client = createClickhouse({ clickhouseUrl: database.url })
  const { module, migrations } = telemetryClickhouse
  const { '006-fewer-merges': _, ...older } = migrations
  const migrate = (needsSetting: string) =>
    migrateClickhouse(
      client,
      [
        {
          module,
          migrations: {
            ...older,
            setting: { table: 'readings', storage: 'MODIFY SETTING merge_selector_base = 8', needsSetting },
          },
        },
      ],
      log,
    )
  try {
    await migrate('a_setting_of_tomorrow')
    expect(await readDefinition(client)).not.toContain('merge_selector_base')
    await migrate('merge_selector_base')
    expect(await readDefinition(client)).toContain('merge_selector_base = 8')
  } finally {
    await client.close()
    await database.drop()
  }
})

test('rows that were stored before the column `stored` existed have their time of arrival in it', async () => {
  const database = await createTestClickhouse()
  const client = createClickhouse({ clickhouseUrl: database.url })
  try {
    const { module, migrations } = telemetryClickhouse
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '007'))
    await migrateClickhouse(client, [{ module, migrations: older }], log)
    const row = { device: 1, value: 20, quality: 0, node: 1, boot: 1, seq: 4, live: 1, metric: 12 }
    const insert = (ts: string) =>
      client.insert({ table: 'readings', values: [{ ...row, ts, received: ts }], format: 'JSONEachRow' })
    await insert('2026-01-01 10:00:30')
    await migrateClickhouse(client, [telemetryClickhouse], log)
    await insert('2026-01-01 11:00:30')
    const answer = await client.query({
      query: `SELECT toString(stored) = '2026-01-01 10:00:00', stored >= now() - 300 FROM readings ORDER BY ts`,
      format: 'JSONCompactEachRow',
    })
    expect(await answer.json()).toEqual([
      [1, 0],
      [0, 1],
    ])
  } finally {
    await client.close()
    await database.drop()
  }
})

test('frames that were stored before the hash column existed get a hash: frames stored again are not listed twice', async () => {
  const database = await createTestClickhouse()
  const client = createClickhouse({ clickhouseUrl: database.url })
  try {
    const { module, migrations } = telemetryClickhouse
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '012'))
    await migrateClickhouse(client, [{ module, migrations: older }], log)
    const now = Date.UTC(2026, 10, 21)
    const frame = { node: 1, ts: now, boot: 1, seq: 4, part: 0, device: 1, sent: 0, named: '' }
    const insert = (...texts: readonly string[]) => {
      const values = texts.map((bytes) => ({
        ...frame,
        bytes,
        received: new Date(now - 1_000).toISOString(),
      }))
      return client.insert({ table: 'raw_frames', values, format: 'JSONEachRow' })
    }
    await insert('a', 'b')
    await migrateClickhouse(client, [telemetryClickhouse], log)
    await insert('b', 'c')
    const directory = { find: () => undefined, findById: () => undefined }
    const list = createListRawFrames(client, directory, { now: () => now })
    const { datalist, total } = await list(scopeOfEverything, { deviceId: 1, limiter: { page: 1, size: 10 } })
    expect(datalist.map(({ hex }) => hex).toSorted()).toEqual(['61', '62', '63'])
    expect(total).toBe(3)
  } finally {
    await client.close()
    await database.drop()
  }
})
