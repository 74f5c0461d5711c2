import { sql } from 'kysely'
import { trackChanges } from '../../platform/operation/track.pg.ts'
import type { ModuleMigrations } from '../../platform/postgres/module-migrations.ts'
import { addPumps } from './pumps-migration.pg.ts'
import { addSupplies } from './supplies-migration.pg.ts'

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
        // Records only the order; progress is in command_event.
        await trackChanges(db, {
          table: 'command',
          entity: 'command',
          columns: ['device_id', 'opening_pct', 'previous_pct', 'batch_id', 'reason', 'expires_ms'],
          id: ['id'],
        })
      },
    },
    '003_batches': {
      async up(db) {
        await sql`set local statement_timeout = 0`.execute(db)
        // Frees the name of the old index for the table.
        await sql`alter index command_batch rename to command_of_batch`.execute(db)
        await sql`
          create table command_batch (
            id text primary key,
            account_id bigint,
            actor text not null,
            reason text not null,
            priority text not null check (priority in ('balancing', 'schedule', 'manual', 'emergency')),
            state text not null check (state in ('running', 'paused', 'cancelled', 'finished')),
            created_ms bigint not null,
            paused_ms bigint,
            retry_of text references command_batch,
            path text collate "C" not null,
            check ((state = 'paused') = (paused_ms is not null))
          )`.execute(db)
        await sql`
          insert into command_batch (id, actor, reason, priority, state, created_ms, path)
          select batch_id, min(actor), min(reason), 'manual',
            case when bool_or(deadline_ms is not null) then 'running' else 'finished' end, min(created_ms), '/'
          from command group by batch_id`.execute(db)
        await sql`create index command_batch_open on command_batch (id) where state in ('running', 'paused')`.execute(
          db,
        )
        await sql`
          alter table command
            add foreign key (batch_id) references command_batch,
            add column priority text not null default 'manual'
              check (priority in ('balancing', 'schedule', 'manual', 'emergency')),
            add column lane_id bigint,
            add column sleeps boolean not null default false,
            add column tried_ms bigint`.execute(db)
        await sql`
          update command set lane_id = coalesce(device.concentrator_id, device.id)
          from device where device.id = device_id`.execute(db)
        await sql`alter table command alter column lane_id set not null`.execute(db)
        await sql`
          create index command_lane_due on command (lane_id, next_attempt_ms)
          where next_attempt_ms is not null`.execute(db)
        await sql`create index command_tried on command (tried_ms) include (lane_id) where tried_ms is not null`.execute(
          db,
        )
        await sql`
          create index command_asleep on command (lane_id)
          where sleeps and next_attempt_ms is not null`.execute(db)
        await sql`create index command_open on command (batch_id) where deadline_ms is not null`.execute(db)
        await sql`
          create table command_lane (
            id bigint primary key,
            worker text not null,
            lease_until_ms bigint not null
          )`.execute(db)
        await trackChanges(db, {
          table: 'command_batch',
          entity: 'command-batch',
          columns: ['actor', 'reason', 'priority', 'retry_of'],
          id: ['id'],
        })
        await trackChanges(db, {
          table: 'command',
          entity: 'command',
          columns: [
            'device_id',
            'opening_pct',
            'previous_pct',
            'batch_id',
            'reason',
            'expires_ms',
            'priority',
          ],
          id: ['id'],
        })
      },
    },
    '004_holds': {
      async up(db) {
        await sql`
          create table valve_hold (
            id bigint generated always as identity primary key,
            device_id bigint not null references device,
            opening_pct double precision not null check (opening_pct between 0 and 100),
            priority text not null check (priority in ('balancing', 'schedule', 'manual', 'emergency')),
            account_id bigint,
            actor text not null,
            reason text not null,
            since_ms bigint not null,
            until_ms bigint not null,
            ended_ms bigint,
            ended_why text check (ended_why in ('outranked', 'replaced', 'released', 'expired', 'withdrawn')),
            ended_by text,
            check (since_ms < until_ms),
            check ((ended_ms is null) = (ended_why is null))
          )`.execute(db)
        await sql`create unique index valve_hold_standing on valve_hold (device_id) where ended_ms is null`.execute(
          db,
        )
        await sql`create index valve_hold_until on valve_hold (until_ms) where ended_ms is null`.execute(db)
        await trackChanges(db, {
          table: 'valve_hold',
          entity: 'hold',
          columns: ['device_id', 'opening_pct', 'priority', 'reason', 'until_ms', 'ended_why', 'ended_by'],
        })
        await sql`
          create table control_limit (
            node_id bigint primary key references node on delete cascade,
            min_opening_pct double precision check (min_opening_pct between 0 and 100),
            max_step_pct double precision check (max_step_pct between 1 and 100),
            min_total_pct double precision check (min_total_pct between 0 and 100)
          )`.execute(db)
        await trackChanges(db, {
          table: 'control_limit',
          entity: 'control-limit',
          columns: ['node_id', 'min_opening_pct', 'max_step_pct', 'min_total_pct'],
          id: ['node_id'],
        })
      },
    },
    '005_limit_versions': {
      async up(db) {
        await sql`alter table control_limit add column version integer not null default 1`.execute(db)
      },
    },
    '006_pumps': { up: addPumps },
    '007_supplies': { up: addSupplies },
    '008_longest_openings': {
      async up(db) {
        await sql`alter table command add column max_open_s integer check (max_open_s > 0)`.execute(db)
      },
    },
    '009_read_requests': {
      async up(db) {
        await sql`
          create table read_request (
            id text primary key,
            device_id bigint not null references device on delete cascade,
            actor text not null,
            created_ms bigint not null,
            expires_ms bigint not null,
            is_sent boolean not null,
            accepted_ms bigint,
            ended_ms bigint,
            code integer,
            detail text
          )`.execute(db)
        await sql`create index read_request_device on read_request (device_id, created_ms desc)`.execute(db)
      },
    },
    '010_line_scans': {
      async up(db) {
        await sql`
          create table line_scan (
            id text primary key,
            device_id bigint not null references device on delete cascade,
            line text not null,
            method text not null,
            actor text not null,
            created_ms bigint not null,
            is_sent boolean not null,
            reported_ms bigint,
            stop_ms bigint,
            ended_ms bigint,
            code integer,
            requested integer not null,
            of_all integer not null,
            found integer not null,
            known integer not null,
            collisions integer not null
          )`.execute(db)
        await sql`create index line_scan_line on line_scan (device_id, line, created_ms desc)`.execute(db)
      },
    },
    '011_shown_openings': {
      async up(db) {
        await sql`
          alter table command add column shown_pct double precision, add column shown_ms bigint`.execute(db)
      },
    },
  },
}
