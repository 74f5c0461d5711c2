import { sql } from 'kysely'
import { trackChanges } from '../../platform/operation/track.pg.ts'
import type { ModuleMigrations } from '../../platform/postgres/module-migrations.ts'

export const groupsMigrations: ModuleMigrations = {
  module: 'groups',
  migrations: {
    '001_schedules': {
      async up(db) {
        await sql`
          create table group_schedule (
            id bigint generated always as identity primary key,
            device_group_id bigint not null unique references device_group on delete cascade,
            enabled boolean not null,
            orders jsonb not null,
            account_id bigint references account on delete set null,
            account text not null,
            next_ms bigint,
            last_ms bigint,
            last_opening_pct double precision,
            last_outcome text,
            last_left_out integer,
            last_batch_id text
          )`.execute(db)
        await sql`create index group_schedule_next on group_schedule (next_ms) where enabled`.execute(db)
        await trackChanges(db, {
          table: 'group_schedule',
          entity: 'group-schedule',
          columns: ['device_group_id', 'enabled', 'orders', 'account'],
        })
      },
    },
  },
}
