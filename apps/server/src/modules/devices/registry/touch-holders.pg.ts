import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../../platform/tables.ts'

/**
 * Raises the version of the groups and accounts that hold devices which will be replaced or removed, so that an edit of
 * an older version is refused. Call it before the devices are locked: changes of groups and grants lock in that order
 * too.
 */
export async function touchHolders(
  transaction: Transaction<Tables>,
  deviceIds: readonly number[],
): Promise<void> {
  const touched = sql`device_id = any(${[...deviceIds]}::bigint[])`
  await sql`
    with held as (select id from account
      where id in (select account_id from account_device where ${touched}) order by id for no key update)
    update account set grants_rev = grants_rev + 1 from held where account.id = held.id`.execute(transaction)
  await sql`
    with held as (select id from device_group
      where id in (select device_group_id from device_group_device where ${touched})
      order by id for no key update)
    update device_group set version = version + 1 from held where device_group.id = held.id`.execute(
    transaction,
  )
}
