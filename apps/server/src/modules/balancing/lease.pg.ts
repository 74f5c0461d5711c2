import { sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import type { Tables } from '../../platform/tables.ts'
import type {} from './tables.ts'

/** The campaign is another replica's now, or somebody changed it: whoever notices leaves it. */
export class LostCampaign extends Error {
  override readonly name = 'LostCampaign'
}

/** States in which something is to be done or waited for. */
const RUNNING = sql`('executing', 'paused', 'settling', 'rolling-back')`

/** Who takes campaigns, when, and until when no other does; Unix ms. */
export interface Claim {
  readonly worker: string
  readonly now: number
  readonly leaseUntil: number
  readonly limit: number
}

/** Takes the campaigns that are to be looked at and that nobody looks at. */
export async function takeCampaigns(
  db: Database,
  { worker, now, leaseUntil, limit }: Claim,
): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    update campaign set worker = ${worker}, lease_until_ms = ${leaseUntil}::bigint
    where id in (
      select id from campaign where state in ${RUNNING} and look_ms <= ${now}
        and (worker is null or lease_until_ms <= ${now})
      order by look_ms limit ${limit} for no key update skip locked)
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Holds the campaign for the transaction at hand. Throws LostCampaign. */
export async function holdCampaign(
  transaction: Transaction<Tables>,
  id: number,
  worker: string,
): Promise<void> {
  const { rows } = await sql`
    select from campaign where id = ${id} and worker = ${worker} and state in ${RUNNING} for no key update`.execute(
    transaction,
  )
  if (rows.length === 0) throw new LostCampaign()
}

/** Lets go of a campaign; it is looked at again at an instant, Unix ms. */
export async function letGo(db: Database, id: number, worker: string, lookAt: number): Promise<void> {
  await sql`
    update campaign set worker = null, lease_until_ms = null, look_ms = ${lookAt}
    where id = ${id} and worker = ${worker}`.execute(db)
}
