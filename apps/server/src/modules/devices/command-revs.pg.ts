import { sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import type { Tables } from '../../platform/tables.ts'

/**
 * Raises the command revision of each device and returns it by id. Within a transaction the devices stay
 * locked until its end, so that commands to one device are numbered in the order they are stored.
 */
export async function takeCommandRevs(
  db: Database | Transaction<Tables>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  // No key update: whoever refers to a device (a command's foreign key) need not wait for this transaction.
  // Locked in order of id: two batches with devices in common wait for each other instead of deadlocking.
  const { rows } = await sql<{ id: number; rev: number }>`
    with locked as (select id from device where id = any(${[...ids]}::bigint[]) order by id for no key update)
    update device set command_rev = command_rev + 1 from locked where device.id = locked.id
    returning device.id, device.command_rev as rev`.execute(db)
  return new Map(rows.map(({ id, rev }) => [id, rev]))
}
