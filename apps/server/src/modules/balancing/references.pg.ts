import { sql } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import type { ReferencesOf } from '../../platform/http/references.ts'
import { isInScope } from '../../platform/scope.pg.ts'

/** What calls may name of balances: campaigns of nodes that are granted as a whole, to look at as to change. */
export const createBalancingReferences = (db: Database): ReferencesOf<'campaign'> => ({
  async campaign({ scope }, values) {
    const ids = values.filter((value) => typeof value === 'number')
    const { rows } = await sql<{ count: number }>`
      select count(*) from campaign join node on node.id = campaign.node_id
      where campaign.id = any(${ids}::bigint[]) and ${isInScope('node.path', scope)}`.execute(db)
    return rows[0]?.count === values.length
  },
})
