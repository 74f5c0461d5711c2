import { type Kysely, sql } from 'kysely'

/** The newest one-time token of each gateway. The serial may be unregistered. Only the hash of a token is stored. */
export async function addConnectionTokens<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table connection_token (
      company_id bigint not null references company on delete cascade,
      serial text not null,
      token_hash bytea not null,
      account text not null,
      made_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      used_from text,
      spent_at timestamptz,
      primary key (company_id, serial)
    )`.execute(db)
  await sql`
    create index connection_token_open on connection_token (company_id, serial)
    where used_at is not null and spent_at is null`.execute(db)
}
