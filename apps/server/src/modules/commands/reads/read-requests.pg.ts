import type { Selectable, Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { ReadRequestTable } from '../model/tables.ts'

export type ReadRequestRow = Selectable<ReadRequestTable>

/** The newest request of a device. */
export const findNewest = (db: Database, deviceId: number): Promise<ReadRequestRow | undefined> =>
  db
    .selectFrom('read_request')
    .where('device_id', '=', deviceId)
    .selectAll()
    .orderBy('created_ms', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findRequest = (db: Database, id: string): Promise<ReadRequestRow | undefined> =>
  db.selectFrom('read_request').where('id', '=', id).selectAll().executeTakeFirst()

/**
 * Stores a request, unless one of the device waits at `now`: then returns that one. Also deletes the requests from before
 * `retainedSince`. Instants are Unix ms.
 */
export async function storeRequest(
  transaction: Transaction<Tables>,
  request: ReadRequestRow,
  { now, retainedSince }: { readonly now: number; readonly retainedSince: number },
): Promise<ReadRequestRow> {
  // Two people who ask at once wait for the same answer.
  await transaction
    .selectFrom('device')
    .where('id', '=', request.device_id)
    .select('id')
    .forUpdate()
    .executeTakeFirstOrThrow()
  await transaction.deleteFrom('read_request').where('created_ms', '<', retainedSince).execute()
  const newest = await findNewest(transaction, request.device_id)
  if (newest && newest.ended_ms === null && newest.expires_ms > now) return newest
  await transaction.insertInto('read_request').values(request).execute()
  return request
}

/** Content of a reply to a request. */
export type ReadAnswer = Pick<ReadRequestRow, 'accepted_ms' | 'ended_ms' | 'code' | 'detail'>

/** Stores a reply; one to a request that has ended changes nothing. The first `accepted` stays. */
export async function storeAnswer(db: Database, id: string, answer: ReadAnswer): Promise<void> {
  await db
    .updateTable('read_request')
    .set((eb) => ({ ...answer, accepted_ms: eb.fn.coalesce('accepted_ms', eb.val(answer.accepted_ms)) }))
    .where('id', '=', id)
    .where('ended_ms', 'is', null)
    .execute()
}
