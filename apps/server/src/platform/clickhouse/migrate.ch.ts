import { z } from 'zod'
import { refuseNewer } from '../lifecycle/newer-schema.ts'
import type { Log } from '../log.ts'
import type { ClickHouseClient } from './clickhouse.ch.ts'

/** A statement that changes a table setting. It runs only on servers that have the setting. */
export interface SettingMigration {
  readonly query: string
  /** Name in system.merge_tree_settings. A server without it skips the statement; each start checks again. */
  readonly needsSetting: string
}

/** ClickHouse schema changes of one module: statements by name, in order. Each must be repeatable. */
export interface ClickhouseMigrations {
  readonly module: string
  readonly migrations: Readonly<Record<string, string | SettingMigration>>
}

/** All changes of the schema, as `module/name`. */
const listClickhouseMigrations = (modules: readonly ClickhouseMigrations[]): readonly string[] =>
  modules.flatMap(({ module, migrations }) => Object.keys(migrations).map((name) => `${module}/${name}`))

const appliedRow = z.object({ name: z.string() })

async function hasSetting(client: ClickHouseClient, name: string): Promise<boolean> {
  const answer = await client.query({
    query: 'SELECT name FROM system.merge_tree_settings WHERE name = {name:String}',
    query_params: { name },
    format: 'JSONEachRow',
  })
  return (await answer.json()).length > 0
}

/**
 * Updates the schema of the telemetry store. ClickHouse has no schema transactions: after a crash between a statement and
 * its record the statement runs again, so each must be repeatable (IF NOT EXISTS). Throws NewerSchemaError if a newer
 * program changed the tables of one of the modules; it names `lastVersion`, the last version that started on these data.
 */
export async function migrateClickhouse(
  client: ClickHouseClient,
  modules: readonly ClickhouseMigrations[],
  log: Log,
  lastVersion?: string,
): Promise<void> {
  await client.command({
    query: `CREATE TABLE IF NOT EXISTS ch_migrations (name String, applied DateTime64(3, 'UTC') DEFAULT now64(3))
      ENGINE = MergeTree ORDER BY name`,
  })
  const answer = await client.query({ query: 'SELECT name FROM ch_migrations', format: 'JSONEachRow' })
  const applied = new Set(
    z
      .array(appliedRow)
      .parse(await answer.json())
      .map((row) => row.name),
  )
  const isOf = (name: string) => modules.some(({ module }) => name.startsWith(`${module}/`))
  const known = new Set(listClickhouseMigrations(modules))
  refuseNewer('ClickHouse', [...applied].filter(isOf).toSorted(), known, lastVersion)
  for (const { module, migrations } of modules) {
    for (const [step, migration] of Object.entries(migrations)) {
      const name = `${module}/${step}`
      if (applied.has(name)) continue
      const { query, needsSetting } =
        typeof migration === 'string' ? { query: migration, needsSetting: undefined } : migration
      if (needsSetting !== undefined && !(await hasSetting(client, needsSetting))) {
        log.warn({ module, migration: step, setting: needsSetting }, 'this ClickHouse lacks a setting')
        continue
      }
      await client.command({ query })
      await client.insert({ table: 'ch_migrations', values: [{ name }], format: 'JSONEachRow' })
      log.info({ module, migration: step }, 'migrated ClickHouse')
    }
  }
}
