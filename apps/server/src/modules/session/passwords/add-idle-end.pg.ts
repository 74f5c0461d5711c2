import { type Kysely, sql } from 'kysely'
import { trackChanges } from '../../../platform/operation/track.pg.ts'

/** Adds the time without input after which a session ends, and when the user of a session gave input last. */
export async function addIdleEnd(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table password_policy
      add column idle_minutes integer not null default 0 check (idle_minutes between 0 and 1440)`.execute(db)
  await sql`alter table session add column active_at timestamptz not null default now()`.execute(db)
  await trackChanges(db, {
    table: 'password_policy',
    entity: 'password-policy',
    columns: [
      'company_id',
      'min_length',
      'min_kinds',
      'history',
      'max_age_days',
      'must_change_given',
      'idle_minutes',
    ],
  })
}
