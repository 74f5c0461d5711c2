import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'

/** Rows of a query, each parsed by `row`. */
export async function selectRows<Row extends z.ZodType>(
  client: ClickHouseClient,
  row: Row,
  query: string,
): Promise<z.infer<Row>[]> {
  const answer = await client.query({ query, format: 'JSONCompactEachRow' })
  return z.array(row).parse(await answer.json())
}

/** Numbers of the only column of a query. */
export async function selectNumbers(client: ClickHouseClient, query: string): Promise<number[]> {
  const rows = await selectRows(client, z.tuple([z.coerce.number()]), query)
  return rows.map(([value]) => value)
}
