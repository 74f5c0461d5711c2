import { setTimeout as wait } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import { historyClickhouse } from '../../apps/server/src/modules/history/index.ts'
import { telemetryClickhouse } from '../../apps/server/src/modules/telemetry/index.ts'
import { migrateClickhouse } from '../../apps/server/src/platform/clickhouse/migrate.ch.ts'
import { addAccounts } from '../administration/add-accounts.ts'
import { silentLog } from '../history/queries.ts'
import { type GeneratedReadings, generateReadings, isPlanned, planReadings } from '../history/readings.ts'
import { selectNumbers } from '../history/select.ts'
import { spreadPlaces, TENANT } from '../registry/company.ts'
import type { PlainSql } from '../registry/plain-sql.ts'
import type { ServerCalls, Session } from '../registry/server-calls.ts'
import { PASSWORD, seedCompany, type Urls } from '../server/own-server.ts'
import type { OpenPages } from './open-pages.ts'

const id = z.object({ id: z.coerce.number() })

/** A generated company and the days behind it. */
export interface CompanySize {
  readonly households: number
  readonly days: number
  /** Percentage of devices with a reading every 15 minutes in the days before; the others have one every six hours. */
  readonly densePercent: number
}

/** Prepares the company and the days behind it, as bench `history` does. */
export async function prepare(
  urls: Urls,
  client: ClickHouseClient,
  sql: PlainSql,
  { households, days, densePercent }: CompanySize,
): Promise<GeneratedReadings> {
  if (!(await isPlanned(client))) {
    console.log(`making a company of ${households} households ...`)
    await seedCompany(urls, households, TENANT)
    await migrateClickhouse(client, [telemetryClickhouse, historyClickhouse], silentLog)
    await planReadings(client, sql, days, densePercent)
  }
  console.log(`making ${days} days of readings ...`)
  return generateReadings(client, async () => undefined, console.log)
}

/** Waits until the server has rolled up all generated hours. */
export async function waitForRollups(client: ClickHouseClient, { to }: GeneratedReadings): Promise<void> {
  const lastHourS = Math.floor(to / HOUR_MS) * 3_600 - 3_600
  for (;;) {
    const [closedS = 0] = await selectNumbers(
      client,
      'SELECT toUnixTimestamp(closed) FROM rollup_marks FINAL',
    )
    if (closedS >= lastHourS) return
    await wait(500)
  }
}

/** Waits until the server has stored a snapshot, as every server has that runs for more than some minutes. */
export async function waitForSnapshot(client: ClickHouseClient): Promise<void> {
  for (;;) {
    const [marks = 0] = await selectNumbers(client, 'SELECT count() FROM snapshot_mark FINAL')
    if (marks > 0) return
    await wait(1_000)
  }
}

/** Signs in one account for each console. */
export async function openPages(
  calls: ServerCalls,
  urls: Urls,
  sql: PlainSql,
  consoles: number,
): Promise<OpenPages> {
  const sessions: Session[] = []
  for (const account of await addAccounts(urls.database, consoles))
    sessions.push(await calls.logIn(account, PASSWORD))
  const valves = await sql.rows(
    id,
    `select id from device where kind = 'valve' and retired_at is null
     and company_id = (select id from company where tenant = '${TENANT}') order by md5(id::text) limit 200`,
  )
  return { sessions, places: await spreadPlaces(sql, 5, consoles), valveIds: valves.map((each) => each.id) }
}
