import { z } from 'zod'
import { refuseNewer } from '../lifecycle/newer-schema.ts'
import type { Log } from '../log.ts'
import type { ClickHouseClient } from './clickhouse.ch.ts'
import { fromServers, toDatabase } from './cluster.ts'
import { type ClickhouseMigration, type TableCreation, toStatements } from './table-change.ts'

/** ClickHouse schema changes of one module by name, in order. Each must be repeatable. */
export interface ClickhouseMigrations {
  readonly module: string
  readonly migrations: Readonly<Record<string, ClickhouseMigration>>
}

const applied: TableCreation = {
  table: 'ch_migrations',
  columns: "name String, applied DateTime64(3, 'UTC') DEFAULT now64(3)",
  engine: 'MergeTree',
  storage: 'ORDER BY name',
  shardBy: 'sipHash64(name)',
}

/** All changes of the schema, as `module/name`. */
const listClickhouseMigrations = (modules: readonly ClickhouseMigrations[]): readonly string[] =>
  modules.flatMap(({ module, migrations }) => Object.keys(migrations).map((name) => `${module}/${name}`))

const nameRow = z.object({ name: z.string() })

/** Tables that exist in the other form: those of one server on a cluster, or of a cluster without ISOTHERM_CLICKHOUSE_CLUSTER. */
class TableFormError extends Error {
  override readonly name = 'TableFormError'
}

/**
 * Throws TableFormError if a table of Isotherm exists in the other form: the statements would leave it as it is, and the server would
 * read and write half of the rows.
 */
async function refuseOtherForm(
  client: ClickHouseClient,
  modules: readonly ClickhouseMigrations[],
): Promise<void> {
  const creations = modules.flatMap(({ migrations }) =>
    Object.values(migrations).filter((migration) => 'engine' in migration),
  )
  const answer = await client.query({
    query: `SELECT DISTINCT name FROM ${fromServers(client, 'system.tables')} WHERE database = ${toDatabase(client)}
      AND name IN {names: Array(String)} AND engine ${client.cluster ? '!=' : '='} 'Distributed' ORDER BY name`,
    query_params: { names: [applied, ...creations].map(({ table }) => table) },
    format: 'JSONEachRow',
  })
  const found = z.array(nameRow).parse(await answer.json())
  if (found.length === 0) return
  const names = found.map(({ name }) => name).join(', ')
  throw new TableFormError(
    client.cluster
      ? `the ClickHouse tables ${names} are of one server, not of the cluster ${client.cluster.name}; move them by a backup and a restore into an empty database (docs/operations)`
      : `the ClickHouse tables ${names} are of a cluster; set ISOTHERM_CLICKHOUSE_CLUSTER to its name`,
  )
}

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
 * Throws TableFormError if the tables are of one server but the client of a cluster, or the reverse. Of several servers only one may
 * run it at a time; see migration-lock.pg.ts.
 */
export async function migrateClickhouse(
  client: ClickHouseClient,
  modules: readonly ClickhouseMigrations[],
  log: Log,
  lastVersion?: string,
): Promise<void> {
  await refuseOtherForm(client, modules)
  for (const query of toStatements(applied, client)) await client.command({ query })
  const answer = await client.query({ query: 'SELECT name FROM ch_migrations', format: 'JSONEachRow' })
  const recorded = new Set(
    z
      .array(nameRow)
      .parse(await answer.json())
      .map((row) => row.name),
  )
  const isOf = (name: string) => modules.some(({ module }) => name.startsWith(`${module}/`))
  const known = new Set(listClickhouseMigrations(modules))
  refuseNewer('ClickHouse', [...recorded].filter(isOf).toSorted(), known, lastVersion)
  for (const { module, migrations } of modules) {
    for (const [step, migration] of Object.entries(migrations)) {
      const name = `${module}/${step}`
      if (recorded.has(name)) continue
      const needsSetting = 'needsSetting' in migration ? migration.needsSetting : undefined
      if (needsSetting !== undefined && !(await hasSetting(client, needsSetting))) {
        log.warn({ module, migration: step, setting: needsSetting }, 'this ClickHouse lacks a setting')
        continue
      }
      for (const query of toStatements(migration, client)) await client.command({ query })
      await client.insert({ table: 'ch_migrations', values: [{ name }], format: 'JSONEachRow' })
      log.info({ module, migration: step }, 'migrated ClickHouse')
    }
  }
}
