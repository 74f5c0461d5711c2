import { type Kysely, sql } from 'kysely'

/** Adds what strategies store of the supply temperature. */
export async function addSupply<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`alter table strategy add column supply jsonb`.execute(db)
  await sql`alter table strategy_event add column supply jsonb`.execute(db)
  await sql`
    create index strategy_stopped on strategy (look_ms) where state in ('paused', 'ended')`.execute(db)
}
