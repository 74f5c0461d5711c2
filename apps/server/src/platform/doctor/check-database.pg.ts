import pg from 'pg'
import { z } from 'zod'
import { listMigrations } from '../backup/dump-database.pg.ts'
import type { Clock } from '../clock.ts'
import { listPostgresMigrations } from '../lifecycle/migrate.pg.ts'
import type { ModuleMigrations } from '../postgres/module-migrations.ts'
import { judgeAnswer } from './answer-time.ts'
import { judgeClock } from './clock-difference.ts'
import { type Finding, fault, ok, toReason, warning } from './finding.ts'

const OLDEST_VERSION = 15
const factsRow = z.object({ at: z.coerce.number(), version: z.string(), number: z.coerce.number() })
const versionRow = z.object({ version: z.string(), started_at: z.date() })

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

/** The version that last started on these data, and since when. */
async function describeLastVersion(client: pg.Client): Promise<Finding> {
  const { rows: found } = await client.query("select where to_regclass('program_version') is not null")
  const { rows } =
    found.length === 0
      ? { rows: [] }
      : await client.query('select version, started_at from program_version order by id desc limit 1')
  const [last] = z.array(versionRow).parse(rows)
  if (!last) return ok('data: no version has recorded itself yet; each start of the server does')
  const since = last.started_at.toISOString().slice(0, 16).replace('T', ' ')
  return ok(`data: last started with version ${last.version}, since ${since} UTC`)
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
    const [before, sentMs] = [clock.now(), clock.elapsed()]
    const { rows } = await client.query(`select extract(epoch from clock_timestamp()) * 1000 as at,
      current_setting('server_version') as version, current_setting('server_version_num') as number`)
    const { at, version, number } = factsRow.parse(rows[0])
    const [after, answeredMs] = [clock.now(), clock.elapsed()]
    const isOld = number < OLDEST_VERSION * 10_000
    const applied = Object.entries(await listMigrations(client)).flatMap(([table, names]) =>
      names.map((name) => `${table}/${name}`),
    )
    return [
      isOld
        ? fault(`PostgreSQL: version ${version}`, `update it to ${OLDEST_VERSION} or newer`)
        : judgeAnswer('PostgreSQL', version, answeredMs - sentMs),
      judgeClock('PostgreSQL', at, before, after),
      judgeMigrations('PostgreSQL', applied, listPostgresMigrations(modules)),
      await describeLastVersion(client),
    ]
  } finally {
    await client.end()
  }
}
