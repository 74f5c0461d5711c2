import { type Kysely, sql } from 'kysely'
import { trackChanges } from '../../../platform/operation/track.pg.ts'

/** Adds the end of passwords that administrators gave, and the rule that every account needs a second factor. */
export async function addGivenEnd(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table password_policy
      add column given_days integer not null default 0 check (given_days between 0 and 365),
      add column needs_second_factor boolean not null default false`.execute(db)
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
      'given_days',
      'needs_second_factor',
      'idle_minutes',
    ],
  })
}
