import { type Kysely, sql } from 'kysely'

/** Adds the identities that a provider gives accounts, and sign-ins that have started there. */
export async function addIdentities(db: Kysely<unknown>): Promise<void> {
  await sql`alter table account add column is_external boolean not null default false`.execute(db)
  await sql`
    create table account_identity (
      issuer text not null,
      subject text not null,
      account_id bigint not null unique references account on delete cascade,
      primary key (issuer, subject)
    )`.execute(db)
  await sql`
    create table oidc_sign_in (
      hash bytea primary key,
      state text not null,
      nonce text not null,
      verifier text not null,
      expires_at timestamptz not null
    )`.execute(db)
}
