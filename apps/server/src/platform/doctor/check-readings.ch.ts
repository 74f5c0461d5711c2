import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { judgeSpace, toSpaceText } from '@isotherm/kernel/machine/disk-space'
import { z } from 'zod'
import { fromServers } from '../clickhouse/cluster.ts'
import type { ClickhouseMigrations } from '../clickhouse/migrate.ch.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { judgeAnswer } from './answer-time.ts'
import { checkCluster } from './check-cluster.ch.ts'
import { judgeMigrations } from './check-database.pg.ts'
import { judgeClock } from './clock-difference.ts'
import { type Finding, fault, ok, toReason } from './finding.ts'

const factsRow = z.object({ version: z.string(), at: z.coerce.number() })
const spaceRow = z.object({ free: z.coerce.number(), total: z.coerce.number(), host: z.string() })
const nameRow = z.object({ name: z.string() })

export async function checkReadings(
  { clickhouseUrl, clickhouseCluster: cluster }: Pick<Config, 'clickhouseUrl' | 'clickhouseCluster'>,
  modules: readonly ClickhouseMigrations[],
  clock: Clock,
): Promise<Finding[]> {
  const client = createClient({
    url: clickhouseUrl,
    request_timeout: 5_000,
    // A failure is a finding.
    log: { level: ClickHouseLogLevel.OFF },
  })
  const read = async (query: string): Promise<unknown> =>
    (await client.query({ query, format: 'JSONEachRow' })).json()
  try {
    const [before, sentMs] = [clock.now(), clock.elapsed()]
    const facts = await read('SELECT version() AS version, toUnixTimestamp64Milli(now64(3)) AS at')
    const [after, answeredMs] = [clock.now(), clock.elapsed()]
    const [{ version, at } = { version: '', at: 0 }] = z.array(factsRow).parse(facts)
    const disks = z.array(spaceRow).parse(
      await read(
        `SELECT free_space AS free, total_space AS total, ${cluster ? 'hostName()' : "''"} AS host
           FROM ${fromServers({ cluster }, 'system.disks')} ORDER BY host`,
      ),
    )
    const applied = z
      .array(nameRow)
      .parse(await read('SELECT DISTINCT name FROM ch_migrations'))
      .map(({ name }) => name)
    // A change that needs a setting of a newer engine is left out by an older one.
    const known = modules.flatMap(({ module, migrations }) =>
      Object.entries(migrations).flatMap(([name, migration]) =>
        !('needsSetting' in migration) || applied.includes(`${module}/${name}`) ? `${module}/${name}` : [],
      ),
    )
    return [
      judgeAnswer('ClickHouse', version, answeredMs - sentMs),
      judgeClock('ClickHouse', at, before, after),
      judgeMigrations('ClickHouse', applied, known),
      ...(cluster ? await checkCluster(client, cluster) : []),
      ...disks.map(({ free, total, host }) => {
        const space = { freeBytes: free, totalBytes: total }
        const what = `disk of ClickHouse${host === '' ? '' : ` on ${host}`}: ${toSpaceText(space)}`
        const state = judgeSpace(space)
        return state === 'ok' ? ok(what) : { state, what, repair: 'free space or enlarge the disk' }
      }),
    ]
  } catch (error) {
    const what = `ClickHouse: no answer (${toReason(error)})`
    return [fault(what, 'check CLICKHOUSE_URL, and that the server runs and accepts this user')]
  } finally {
    await client.close()
  }
}
