import { sql, type Transaction } from 'kysely'
import { refuseDuplicates } from '../../../platform/postgres/unique.pg.ts'
import type { Tables } from '../../../platform/tables.ts'

/** Marks a node. Throws entity.taken if it is already marked. */
export const insertMark = (transaction: Transaction<Tables>, nodeId: number, stype: string) =>
  refuseDuplicates(
    { subdivision_pkey: 'sid' },
    transaction.insertInto('subdivision').values({ node_id: nodeId, stype }).execute(),
  )

export const updateMark = (transaction: Transaction<Tables>, nodeId: number, stype: string) =>
  transaction.updateTable('subdivision').set({ stype }).where('node_id', '=', nodeId).execute()

export const deleteMark = (transaction: Transaction<Tables>, nodeId: number) =>
  sql`delete from subdivision where node_id = ${nodeId}`.execute(transaction)
