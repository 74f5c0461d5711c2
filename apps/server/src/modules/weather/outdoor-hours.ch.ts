import { DOUBTFUL_QUALITY, metrics } from '@isotherm/contract/metrics'
import type { OutdoorValue } from '@isotherm/contract/network/weather'
import { z } from 'zod'
import type { ClickHouseClient } from '../../platform/clickhouse/clickhouse.ch.ts'

const row = z.object({ at: z.coerce.number(), outdoorC: z.number() })

/**
 * Median outdoor temperature of devices in steps of `stepMs` from `from` to `to`, Unix ms. Steps without a trusted reading are
 * absent.
 */
export async function readOutdoorSteps(
  clickhouse: ClickHouseClient,
  deviceIds: readonly number[],
  { from, to, stepMs }: { readonly from: number; readonly to: number; readonly stepMs: number },
): Promise<readonly OutdoorValue[]> {
  if (deviceIds.length === 0) return []
  const result = await clickhouse.query({
    query: `SELECT intDiv(toUnixTimestamp64Milli(ts), {stepMs: Int64}) * {stepMs: Int64} AS at,
        quantileExact(value) AS outdoorC
      FROM readings
      WHERE metric = ${metrics['temp.outdoor'].id} AND device IN (${deviceIds.join(', ')})
        AND ts >= fromUnixTimestamp64Milli({from: Int64}) AND ts < fromUnixTimestamp64Milli({to: Int64})
        AND bitAnd(quality, ${DOUBTFUL_QUALITY}) = 0
      GROUP BY at ORDER BY at`,
    query_params: { from, to, stepMs },
    format: 'JSONEachRow',
  })
  return (await result.json<unknown>()).map((given) => row.parse(given))
}
