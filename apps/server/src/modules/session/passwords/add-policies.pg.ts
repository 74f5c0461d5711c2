import { defaultPasswordRules } from '@isotherm/contract/access/password-rules'
import { type Kysely, sql } from 'kysely'
import { trackChanges } from '../../../platform/operation/track.pg.ts'

/** Adds the policies for passwords, with the default of the installation, and the history of replaced passwords. */
export async function addPasswordPolicies(db: Kysely<unknown>): Promise<void> {
  // Ages are counted from now on: nobody knows when the present passwords were set.
  await sql`
    alter table account add column password_set_at timestamptz not null default now(),
      add column password_given boolean not null default false`.execute(db)
  await sql`
    create table password_history (
      id bigint generated always as identity primary key,
      account_id bigint not null references account on delete cascade,
      password_hash text not null,
      replaced_at timestamptz not null
    )`.execute(db)
  await sql`create index password_history_account on password_history (account_id, id)`.execute(db)
  await sql`
    create table password_policy (
      id bigint generated always as identity primary key,
      company_id bigint references company on delete cascade,
      min_length integer not null check (min_length between 8 and 64),
      min_kinds integer not null check (min_kinds between 1 and 4),
      history integer not null check (history between 0 and 24),
      max_age_days integer not null check (max_age_days between 0 and 3650),
      must_change_given boolean not null,
      unique nulls not distinct (company_id)
    )`.execute(db)
  await trackChanges(db, {
    table: 'password_policy',
    entity: 'password-policy',
    columns: ['company_id', 'min_length', 'min_kinds', 'history', 'max_age_days', 'must_change_given'],
  })
  const { minLength, minKinds, history, maxAgeDays, mustChangeGiven } = defaultPasswordRules
  await sql`
    insert into password_policy (company_id, min_length, min_kinds, history, max_age_days, must_change_given)
    values (null, ${minLength}, ${minKinds}, ${history}, ${maxAgeDays}, ${mustChangeGiven})`.execute(db)
}
