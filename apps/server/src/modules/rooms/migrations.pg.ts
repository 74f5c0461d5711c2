import { sql } from 'kysely'
import { trackChanges } from '../../platform/operation/track.pg.ts'
import type { ModuleMigrations } from '../../platform/postgres/module-migrations.ts'

export const roomsMigrations: ModuleMigrations = {
  module: 'rooms',
  migrations: {
    '001_rules_and_visits': {
      async up(db) {
        await sql`
          create table room_rules (
            id bigint generated always as identity primary key,
            node_id bigint not null unique references node on delete cascade,
            rules jsonb not null
          )`.execute(db)
        await trackChanges(db, { table: 'room_rules', entity: 'room-rules', columns: ['node_id', 'rules'] })
        await sql`
          create table room_visit (
            id bigint generated always as identity primary key,
            device_id bigint not null references device on delete cascade,
            requested_at timestamptz not null,
            resident text not null,
            phone text not null,
            complaint text not null,
            created_by text not null,
            sensor_c double precision,
            result jsonb
          )`.execute(db)
        await sql`create index room_visit_device on room_visit (device_id)`.execute(db)
        await sql`create index room_visit_newest on room_visit (requested_at desc)`.execute(db)
        await trackChanges(db, {
          table: 'room_visit',
          entity: 'room-visit',
          columns: ['device_id', 'requested_at', 'resident', 'phone', 'complaint', 'result'],
        })
      },
    },
  },
}
