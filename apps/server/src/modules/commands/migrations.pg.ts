import { sql } from 'kysely'
import type { ModuleMigrations } from '../../platform/migrate.pg.ts'
import { trackChanges } from '../../platform/operation/track.pg.ts'

export const commandsMigrations: ModuleMigrations = {
  module: 'commands',
  migrations: {
    '001_commands': {
      async up(db) {
        await sql`
          create table command (
            id text primary key,
            batch_id text not null,
            device_id bigint not null references device,
            opening_pct double precision not null check (opening_pct between 0 and 100),
            previous_pct double precision,
            state text not null check (state in ('queued', 'sent', 'delivered', 'accepted', 'done', 'confirmed',
              'failed', 'expired', 'superseded', 'cancelled', 'unknown')),
            rev bigint not null,
            result_code integer not null default 0,
            actor text not null,
            reason text not null,
            created_ms bigint not null,
            updated_ms bigint not null,
            expires_ms bigint not null,
            deadline_ms bigint,
            attempts integer not null default 0,
            next_attempt_ms bigint,
            done_ms bigint,
            unique (device_id, rev)
          )`.execute(db)
        await sql`create index command_due on command (next_attempt_ms) where next_attempt_ms is not null`.execute(
          db,
        )
        await sql`create index command_deadline on command (deadline_ms) where deadline_ms is not null`.execute(
          db,
        )
        await sql`create index command_device on command (device_id, id desc)`.execute(db)
        await sql`create index command_batch on command (batch_id)`.execute(db)
        await sql`
          create table command_event (
            id bigint generated always as identity primary key,
            command_id text not null references command,
            at_ms bigint not null,
            event text not null,
            to_state text,
            detail text not null
          )`.execute(db)
        await sql`create index command_event_command on command_event (command_id)`.execute(db)
      },
    },
    '002_noted': {
      async up(db) {
        // Only that it was given: how far it comes is in command_event.
        await trackChanges(db, {
          table: 'command',
          entity: 'command',
          columns: ['device_id', 'opening_pct', 'previous_pct', 'batch_id', 'reason', 'expires_ms'],
          id: ['id'],
        })
      },
    },
  },
}
