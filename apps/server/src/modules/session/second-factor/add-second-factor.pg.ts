import { type Kysely, sql } from 'kysely'

/** Adds the second factor of accounts, its recovery codes, and which roles require it. */
export async function addSecondFactor(db: Kysely<unknown>): Promise<void> {
  await sql`alter table role add column needs_second_factor boolean not null default false`.execute(db)
  await sql`alter table account add column second_factor_rev integer not null default 1`.execute(db)
  await sql`
    create table second_factor (
      account_id bigint primary key references account on delete cascade,
      secret bytea not null,
      confirmed_at timestamptz,
      last_step bigint not null default 0,
      proof_browser bytea,
      proof_until timestamptz
    )`.execute(db)
  await sql`
    create table recovery_code (
      account_id bigint not null references account on delete cascade,
      hash bytea not null,
      used_at timestamptz,
      primary key (account_id, hash)
    )`.execute(db)
}
