import { type Kysely, sql } from 'kysely'

/**
 * Who saw the newest shown password of a gateway. It belongs to the serial, not to the device: a device that is removed and
 * added again has the same password.
 */
export async function addShownPasswords<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table shown_password (
      company_id bigint not null references company on delete cascade,
      serial text not null,
      login_version int not null check (login_version >= 0),
      shown_at timestamptz not null,
      account text not null,
      way text not null check (way in ('page', 'rotation', 'export', 'device')),
      primary key (company_id, serial)
    )`.execute(db)
}
