import { z } from 'zod'
import { type ClickHouseClient, createClickhouse } from '../../../platform/clickhouse/clickhouse.ch.ts'
import { createLog } from '../../../platform/log.ts'
import { createServerClickhouse } from '../../../testing/clickhouse-database.testkit.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createLocalDays } from '../calendar/local-days.ts'
import { buildRollups, dropDays, type RollupBuild } from './rollup-queries.ch.ts'
import { createRollups, type RollupOptions } from './rollups.ts'

export const ZONE = 'Asia/Shanghai'

const log = createLog({ logLevel: 'silent' })

/** A reading of a test: device, metric, instant in Unix ms, value, quality bits. */
export type TestReading = readonly [
  device: number,
  metric: number,
  ts: number,
  value: number,
  quality?: number,
]

/** Drops all rollups, as if none had been built. */
export async function dropRollups(client: ClickHouseClient): Promise<void> {
  await client.command({ query: 'TRUNCATE TABLE readings_hour' })
  await dropDays(client)
}

/** The tables of readings and rollups on the real engine, and rollups whose passes are started by the test. */
export async function createTestRollups(options: Partial<RollupOptions> = {}) {
  const database = await createServerClickhouse()
  const client = createClickhouse({ clickhouseUrl: database.url })
  const clock = createTestClock()
  const buildRun = (build: RollupBuild, zone = ZONE) => buildRollups(client, zone, build)
  let seq = 0

  async function insert(readings: readonly TestReading[], receivedMs = clock.now()): Promise<void> {
    seq += 1
    const values = readings.map(([device, metric, ts, value, quality = 0]) => ({
      device,
      metric,
      ts: new Date(ts).toISOString(),
      value,
      quality,
      received: new Date(receivedMs).toISOString(),
      node: 1,
      boot: 1,
      seq,
      months: 1,
      live: 1,
    }))
    await client.insert({ table: 'readings', values, format: 'JSONEachRow' })
  }

  async function select<Row extends z.ZodType>(row: Row, query: string): Promise<z.infer<Row>[]> {
    const answer = await client.query({ query, format: 'JSONCompactEachRow' })
    return z.array(row).parse(await answer.json())
  }

  return {
    client,
    clock,
    insert,
    select,
    buildRun,
    /** `build` replaces the statement that builds a run. */
    rollups: (build: RollupOptions['build'] = buildRun) =>
      createRollups({ ...options, client, zone: ZONE, build, days: createLocalDays(ZONE), clock, log }),
    /** Rollups of a server with another time zone. */
    rollupsIn: (zone: string) => {
      const build = (run: RollupBuild) => buildRun(run, zone)
      return createRollups({ ...options, client, zone, build, days: createLocalDays(zone), clock, log })
    },
    async close() {
      await client.close()
      await database.drop()
    },
  }
}
