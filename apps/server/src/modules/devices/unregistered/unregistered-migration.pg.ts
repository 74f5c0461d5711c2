import { type Kysely, sql } from 'kysely'

/** Devices that report and are not registered, with their last data. */
export async function addUnregisteredDevices<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table unregistered_device (
      id bigint generated always as identity primary key,
      gateway_id bigint not null references device on delete cascade,
      via text not null,
      line text not null,
      address text not null,
      said jsonb not null,
      count bigint not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      unique (gateway_id, via, line, address)
    )`.execute(db)
  await sql`create index unregistered_device_last on unregistered_device (last_at)`.execute(db)
}
