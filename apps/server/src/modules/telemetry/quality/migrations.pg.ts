import { sql } from 'kysely'
import type { ModuleMigrations } from '../../../platform/postgres/module-migrations.ts'

export const telemetryMigrations: ModuleMigrations = {
  module: 'telemetry',
  migrations: {
    '001_finding': {
      async up(db) {
        await sql`
          create table telemetry_finding (
            id bigint generated always as identity primary key,
            device_id bigint not null references device on delete cascade,
            rule text not null,
            since_ms bigint not null,
            until_ms bigint check (until_ms >= since_ms),
            detail jsonb not null,
            unique (device_id, rule, since_ms)
          )`.execute(db)
        // Every replica finds the same. A finding is stored by the first one only.
        await sql`
          create unique index telemetry_finding_open on telemetry_finding (device_id, rule)
          where until_ms is null`.execute(db)
        await sql`create index telemetry_finding_since on telemetry_finding (since_ms desc, id desc)`.execute(
          db,
        )
      },
    },
  },
}
