import pg from 'pg'
import { z } from 'zod'
import type { Cell } from '../cell/cell.ts'
import { type Finding, ok, warning } from './finding.ts'

const rows = z.array(z.object({ tenant: z.string() }))

/** Whether the companies that the server serves exist. Another check reports a database that does not answer. */
export async function checkCell(databaseUrl: string, { tenants }: Cell): Promise<Finding> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const found = await client.query('select tenant from company where tenant = any($1::text[])', [tenants])
    const known = new Set(rows.parse(found.rows).map(({ tenant }) => tenant))
    const unknown = tenants.filter((tenant) => !known.has(tenant))
    if (unknown.length === 0) return ok(`companies: this server serves ${tenants.join(', ')} only`)
    return warning(
      `companies: none has the tenant ${unknown.join(', ')} of ISOTHERM_TENANTS`,
      'create the company, or correct the list',
    )
  } finally {
    await client.end()
  }
}
