import pg from 'pg'
import { z } from 'zod'
import { listMigrations } from '../backup/dump-database.pg.ts'
import type { Clock } from '../clock.ts'
import { listPostgresMigrations } from '../lifecycle/migrate.pg.ts'
import type { ModuleMigrations } from '../postgres/module-migrations.ts'
import { judgeClock } from './clock-difference.ts'
import { type Finding, fault, ok, toReason, warning } from './finding.ts'

const OLDEST_VERSION = 15
const factsRow = z.object({ at: z.coerce.number(), version: z.string(), number: z.coerce.number() })

/** Compares the applied changes of a schema with those of this version. */
export function judgeMigrations(name: string, applied: readonly string[], known: readonly string[]): Finding {
  const unknown = applied.filter((one) => !known.includes(one))
  const missing = known.filter((one) => !applied.includes(one))
  if (unknown.length > 0)
    return fault(
      `tables of ${name}: newer than this version (${unknown[0]})`,
      'start the newer version again, or restore a backup of this version into empty stores',
    )
  if (missing.length === 0) return ok(`tables of ${name}: up to date`)
  const what = `tables of ${name}: ${missing.length} changes are missing (${missing[0]})`
  return warning(what, 'start the server of this version, which makes them')
}

export async function checkDatabase(
  databaseUrl: string,
  modules: readonly ModuleMigrations[],
  clock: Clock,
): Promise<Finding[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    const what = `PostgreSQL: no connection (${toReason(error)})`
    return [fault(what, 'check DATABASE_URL, and that the server runs and accepts this user')]
  }
  try {
    const before = clock.now()
    const { rows } = await client.query(`select extract(epoch from clock_timestamp()) * 1000 as at,
      current_setting('server_version') as version, current_setting('server_version_num') as number`)
    const { at, version, number } = factsRow.parse(rows[0])
    const after = clock.now()
    const isOld = number < OLDEST_VERSION * 10_000
    const applied = Object.entries(await listMigrations(client)).flatMap(([table, names]) =>
      names.map((name) => `${table}/${name}`),
    )
    return [
      isOld
        ? fault(`PostgreSQL: version ${version}`, `update it to ${OLDEST_VERSION} or newer`)
        : ok(`PostgreSQL: answers, version ${version}`),
      judgeClock('PostgreSQL', at, before, after),
      judgeMigrations('PostgreSQL', applied, listPostgresMigrations(modules)),
    ]
  } finally {
    await client.end()
  }
}
