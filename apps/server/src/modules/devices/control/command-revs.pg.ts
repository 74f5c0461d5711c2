import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'

async function refuse(db: Database | Transaction<Tables>, id: number): Promise<never> {
  const device = await db.selectFrom('device').select('name').where('id', '=', id).executeTakeFirst()
  throw device ? new AppError('device.retired', { device: device.name }) : new AppError('device.not-found')
}

/**
 * Raises the command revision of each device and returns the revisions by id. In a transaction the devices stay locked
 * until its end, so that revisions follow the order in which commands are stored. Throws device.retired or
 * device.not-found when a device was retired or removed meanwhile.
 */
export async function raiseCommandRevs(
  db: Database | Transaction<Tables>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  // "No key update": an insert that refers to a device (a command's foreign key) does not wait for this transaction.
  // Locked in order of id, so that two batches that share devices wait for each other and do not deadlock.
  const { rows } = await sql<{ id: number; rev: number }>`
    with locked as (select id from device where id = any(${[...ids]}::bigint[]) and retired_at is null
      order by id for no key update)
    update device set command_rev = command_rev + 1 from locked where device.id = locked.id
    returning device.id, device.command_rev as rev`.execute(db)
  const revs = new Map(rows.map(({ id, rev }) => [id, rev]))
  const missing = ids.find((id) => !revs.has(id))
  if (missing !== undefined) await refuse(db, missing)
  return revs
}
