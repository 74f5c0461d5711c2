import { createLocalDays } from '../modules/history/calendar/local-days.ts'
import { buildRollups } from '../modules/history/rollups/rollup-queries.ch.ts'
import { createRollups } from '../modules/history/rollups/rollups.ts'
import { createClickhouse } from '../platform/clickhouse/clickhouse.ch.ts'
import { systemClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import type { TestServer } from './server.testkit.ts'

/**
 * A pass of the rollups over all that is stored. The server makes its first one 3 s after its start and the next one a
 * minute later, so on a busy machine the first may come before the readings of a test.
 */
export async function buildAllRollups({ config }: Pick<TestServer, 'config'>, zone: string): Promise<void> {
  const client = createClickhouse(config)
  const rollups = createRollups({
    client,
    zone,
    days: createLocalDays(zone),
    clock: systemClock,
    log: createLog({ logLevel: 'silent' }),
    build: (build) => buildRollups(client, zone, build),
  })
  await rollups.pass()
  await client.close()
}
