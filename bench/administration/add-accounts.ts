import pg from 'pg'
import { TENANT } from '../registry/company.ts'

const MANAGER = `${TENANT}.manager`
/** Above the ids of a seeded company. */
const FIRST_ID = 900_000

/**
 * Copies the manager of the measured company, because calls are limited per account. Returns the names of the copies.
 */
export async function addAccounts(databaseUrl: string, count: number): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const numbers = `generate_series(${FIRST_ID}, ${FIRST_ID + count - 1}) nr`
    await client.query(
      `insert into account overriding system value
       select (jsonb_populate_record(null::account,
         to_jsonb(template) || jsonb_build_object('id', nr, 'account', '${TENANT}.administrator-' || nr))).*
       from account template, ${numbers} where template.account = $1 on conflict do nothing`,
      [MANAGER],
    )
    for (const [table, column] of [
      ['account_role', 'role_id'],
      ['account_node', 'node_id'],
    ])
      await client.query(
        `insert into ${table} (account_id, ${column}) select nr, ${column}
         from ${table} join account on account.id = ${table}.account_id, ${numbers}
         where account.account = $1 on conflict do nothing`,
        [MANAGER],
      )
  } finally {
    await client.end()
  }
  return Array.from({ length: count }, (_, index) => `${TENANT}.administrator-${FIRST_ID + index}`)
}
