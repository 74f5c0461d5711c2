import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { createDatabase, type Database } from '../../../platform/postgres/database.pg.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createCoreDatabase } from '../../../testing/core-database.testkit.ts'
import { addBackupMetrics } from './backup-metrics.ts'
import { beginBackupRun, endBackupRun } from './backup-runs.pg.ts'

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createCoreDatabase()
  db = createDatabase({ databaseUrl: database.url }, createLog({ logLevel: 'silent' }))
  drop = database.drop
})
afterAll(async () => {
  await db.destroy()
  await drop()
})

test('the metrics show when the last backup succeeded and whether a later one failed', async () => {
  const registry = new Registry()
  addBackupMetrics(registry, db, createTestClock(10_000_000_000))
  const read = async () => {
    const text = await registry.metrics()
    return ['last_success_timestamp_seconds', 'failed'].map((name) =>
      Number(new RegExp(`^isotherm_backup_${name} (\\S+)$`, 'm').exec(text)?.[1]),
    )
  }
  expect(await read()).toEqual([0, 0])
  const record = async (startedAt: number, outcome: Parameters<typeof endBackupRun>[3]) => {
    const id = (await beginBackupRun(db, startedAt)) ?? 0
    await endBackupRun(db, id, startedAt + 50_000, outcome)
  }
  const backup = { name: 'isotherm-20261127T023000Z', bytes: 5_000_000_000, rows: 7, encrypted: true }
  await record(2_000_000, backup)
  expect(await read()).toEqual([2_000, 0])
  await record(3_000_000, { fault: 'no space' })
  expect(await read()).toEqual([2_000, 1])
  await record(4_000_000, backup)
  expect(await read()).toEqual([4_000, 0])
  // A clock was wrong: such a backup hides neither a missing one nor a later fault.
  await record(99_000_000_000, backup)
  expect(await read()).toEqual([4_000, 0])
  await record(5_000_000, { fault: 'no space' })
  expect(await read()).toEqual([4_000, 1])
})
