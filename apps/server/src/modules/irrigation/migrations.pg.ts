import { sql } from 'kysely'
import { trackChanges } from '../../platform/operation/track.pg.ts'
import type { ModuleMigrations } from '../../platform/postgres/module-migrations.ts'

export const irrigationMigrations: ModuleMigrations = {
  module: 'irrigation',
  migrations: {
    '001_irrigation': {
      async up(db) {
        await sql`
          create table irrigation_source (
            id bigint generated always as identity primary key,
            node_id bigint not null references node on delete cascade,
            settings jsonb not null,
            paused_until_ms bigint,
            pause_reason text not null default '',
            planned_ms bigint not null,
            worker text,
            lease_until_ms bigint not null default 0,
            seen_ms bigint not null default 0
          )`.execute(db)
        await sql`create index irrigation_source_node on irrigation_source (node_id)`.execute(db)
        await sql`
          create table irrigation_group (
            id bigint generated always as identity primary key,
            source_id bigint not null references irrigation_source on delete cascade,
            settings jsonb not null
          )`.execute(db)
        await sql`create index irrigation_group_source on irrigation_group (source_id)`.execute(db)
        await sql`
          create table irrigation_program (
            id bigint generated always as identity primary key,
            source_id bigint not null references irrigation_source on delete cascade,
            settings jsonb not null,
            account_id bigint references account on delete set null,
            account text not null
          )`.execute(db)
        await sql`create index irrigation_program_source on irrigation_program (source_id)`.execute(db)
        await sql`
          create table irrigation_run (
            id bigint generated always as identity primary key,
            source_id bigint not null references irrigation_source on delete cascade,
            program_id bigint references irrigation_program on delete set null,
            name text not null,
            state text not null check (state in ('running', 'paused', 'stopping', 'done', 'stopped', 'failed')),
            together boolean not null,
            due_ms bigint not null,
            began_ms bigint not null,
            ended_ms bigint,
            adjust_pct double precision not null,
            conflicts jsonb not null,
            planned_m3 double precision not null,
            account_id bigint references account on delete set null,
            account text not null,
            unique (program_id, due_ms)
          )`.execute(db)
        await sql`create index irrigation_run_source on irrigation_run (source_id, began_ms)`.execute(db)
        await sql`
          create table irrigation_step (
            id bigint generated always as identity primary key,
            run_id bigint not null references irrigation_run on delete cascade,
            seq integer not null,
            group_id bigint not null,
            valve_ids bigint[] not null,
            flow_m3_h double precision not null,
            max_s integer not null,
            planned_ms bigint not null,
            planned_s double precision not null,
            duration_s double precision not null,
            delay_s double precision not null,
            soak_s double precision not null,
            state text not null default 'pending' check (
              state in ('pending', 'opening', 'open', 'closing', 'closed', 'skipped', 'stuck')),
            opened_ms bigint,
            close_due_ms bigint,
            closed_ms bigint,
            open_batch text,
            close_batch text,
            close_tries integer not null default 0,
            close_sent_ms bigint,
            volume_m3 double precision not null default 0,
            metered_ms bigint,
            metered_s double precision not null default 0,
            metered_m3 double precision not null default 0,
            is_measured boolean not null default false,
            finding text,
            unique (run_id, seq)
          )`.execute(db)
        await sql`
          create index irrigation_step_unfinished on irrigation_step (run_id)
          where state in ('pending', 'opening', 'open', 'closing', 'stuck')`.execute(db)
        for (const name of ['source', 'group', 'program']) {
          await trackChanges(db, {
            table: `irrigation_${name}`,
            entity: `irrigation-${name}`,
            columns: name === 'source' ? ['settings', 'paused_until_ms', 'pause_reason'] : ['settings'],
          })
        }
      },
    },
    '002_protection': {
      async up(db) {
        await sql`
          alter table irrigation_source
            add column leak_since_ms bigint, add column leak_ms bigint, add column leak_m3_h double precision,
            add column dry_since_ms bigint, add column halted_ms bigint,
            add column halted_for text check (halted_for in ('dry-run', 'master')),
            add column master_state text not null default 'closed' check (
              master_state in ('closed', 'opening', 'open', 'closing', 'stuck')),
            add column master_opened_ms bigint, add column master_sent_ms bigint, add column master_free_ms bigint,
            add column master_batch text, add column master_tries integer not null default 0`.execute(db)
        await sql`
          alter table irrigation_run
            add column paused_for text check (paused_for in ('dry-run', 'master'))`.execute(db)
        await sql`
          alter table irrigation_step
            add column is_alone boolean not null default true, add column expected jsonb,
            add column lost_m3 double precision not null default 0, add column lost_s double precision not null default 0`.execute(
          db,
        )
        await sql`create index irrigation_step_group on irrigation_step (group_id, closed_ms)`.execute(db)
        await sql`create index irrigation_run_began on irrigation_run (began_ms)`.execute(db)
        await sql`
          create index irrigation_source_station on irrigation_source ((settings->>'stationId'))
          where settings ? 'stationId'`.execute(db)
      },
    },
    '003_refused': {
      async up(db) {
        await sql`alter table irrigation_source add column master_refused_ms bigint`.execute(db)
      },
    },
    '004_observed': {
      async up(db) {
        await sql`alter table irrigation_source add column look_ms bigint not null default 0`.execute(db)
        await sql`alter table irrigation_run add column is_observed boolean not null default false`.execute(
          db,
        )
        await sql`alter table irrigation_step add column measured_m3 double precision not null default 0`.execute(
          db,
        )
        await sql`update irrigation_step set measured_m3 = volume_m3 where is_measured`.execute(db)
        // `is_measured` stays for replicas of the release before, which write it. Drop it one release later.
        await sql`
          create table irrigation_look (
            device_id bigint primary key references device on delete cascade,
            group_id bigint not null,
            observed_s bigint not null
          )`.execute(db)
        await sql`create index irrigation_step_valves on irrigation_step using gin (valve_ids)`.execute(db)
      },
    },
    '005_first_opened': {
      async up(db) {
        await sql`alter table irrigation_step add column first_opened_ms bigint`.execute(db)
      },
    },
    '006_sensors': {
      async up(db) {
        // Sensors of their own are in the settings; the runner finds sources by the device that measures their flow.
        await sql`
          create index irrigation_source_meter on irrigation_source (
            (coalesce(settings->>'meterId', settings->>'stationId')))`.execute(db)
      },
    },
    '007_low_since': {
      async up(db) {
        // A replica of the release before writes dry_since_ms for both conditions.
        await sql`alter table irrigation_source add column low_since_ms bigint`.execute(db)
      },
    },
    '008_seen': {
      async up(db) {
        // The newest reading that shows each condition. A replica of the release before does not write it: then the first one counts.
        await sql`alter table irrigation_source add column leak_seen_ms bigint, add column dry_seen_ms bigint,
          add column low_seen_ms bigint`.execute(db)
      },
    },
    '009_openings': {
      async up(db) {
        // A replica of the release before keeps no earlier opening: then its water counts for the day of the last one.
        await sql`alter table irrigation_step add column earlier jsonb not null default '[]'`.execute(db)
        await sql`create index irrigation_step_earlier on irrigation_step (run_id) where earlier <> '[]'`.execute(
          db,
        )
      },
    },
  },
}
