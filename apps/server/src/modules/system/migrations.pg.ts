import { sql } from 'kysely'
import { trackChanges } from '../../platform/operation/track.pg.ts'
import type { ModuleMigrations } from '../../platform/postgres/module-migrations.ts'
import { addRevisionTrigger } from '../../platform/signals/revisions.pg.ts'

/** Run after the session's migrations, which create the tables. */
export const systemMigrations: ModuleMigrations = {
  module: 'system',
  migrations: {
    '001_roles': {
      async up(db) {
        // A code is the kind of a role. Several companies can have roles of one kind.
        await sql`alter table role drop constraint role_code_key`.execute(db)
        await sql`create index role_of_code on role (code)`.execute(db)
        await sql`create index if not exists account_role_role on account_role (role_id)`.execute(db)
        await sql`create index role_permission_module on role_permission (permission)`.execute(db)
        await sql`create index if not exists account_organisation on account (organisation_id)`.execute(db)
        // A role's modules are part of the role: their change raises its version.
        await sql`alter table role add column modules text[] not null default '{}'`.execute(db)
        await sql`
          create function isotherm_list_modules() returns trigger language plpgsql as $$
          begin
            update role set modules = array(
              select permission from role_permission where role_id = role.id order by permission)
            where id in (select role_id from changed_rows);
            return null;
          end $$`.execute(db)
        for (const [event, rows] of [
          ['insert', 'new'],
          ['delete', 'old'],
          ['update', 'new'],
        ] as const) {
          await sql`
            create trigger ${sql.id(`list_modules_${event}`)} after ${sql.raw(event)} on role_permission
            referencing ${sql.raw(rows)} table as changed_rows
            for each statement execute function isotherm_list_modules()`.execute(db)
        }
        await sql`
          update role set modules = array(
            select permission from role_permission where role_id = role.id order by permission)`.execute(db)
        await trackChanges(db, {
          table: 'role',
          entity: 'role',
          columns: ['name', 'code', 'description', 'modules'],
        })
      },
    },
    '002_interfaces': {
      async up(db) {
        await sql`create table disabled_interface (name text primary key)`.execute(db)
        await trackChanges(db, {
          table: 'disabled_interface',
          entity: 'disabled-interface',
          columns: ['name'],
          id: ['name'],
        })
        await addRevisionTrigger(db, {
          name: 'access',
          table: 'disabled_interface',
          events: 'insert or delete',
        })
        // Calls and messages by hour. `durations`: number of calls by class of duration, see call-meter.ts.
        await sql`
          create table interface_hour (
            name text not null,
            hour timestamptz not null,
            calls bigint not null,
            failures bigint not null,
            durations bigint[] not null,
            primary key (name, hour)
          )`.execute(db)
        await sql`create index interface_hour_hour on interface_hour (hour)`.execute(db)
      },
    },
    '003_api_keys': {
      async up(db) {
        await sql`
          create table api_key (
            id bigint generated always as identity primary key,
            account_id bigint not null references account on delete cascade,
            name text not null,
            start text not null,
            hash bytea not null unique,
            permissions text[] not null,
            read_only boolean not null,
            is_restricted boolean not null,
            calls_per_minute integer not null,
            created_at timestamptz not null,
            expires_at timestamptz not null,
            last_used_at timestamptz
          )`.execute(db)
        await sql`create index api_key_account on api_key (account_id)`.execute(db)
        // A restricted key whose nodes were all deleted has access to nothing.
        await sql`
          create table api_key_node (
            key_id bigint not null references api_key on delete cascade,
            node_id bigint not null references node on delete cascade,
            primary key (key_id, node_id)
          )`.execute(db)
        await sql`create index api_key_node_node on api_key_node (node_id)`.execute(db)
        await trackChanges(db, {
          table: 'api_key',
          entity: 'api-key',
          columns: ['name', 'permissions', 'read_only', 'calls_per_minute', 'expires_at'],
        })
        for (const table of ['api_key', 'api_key_node'])
          await addRevisionTrigger(db, { name: 'access', table, events: 'insert or delete' })
      },
    },
    '004_second_factor': {
      async up(db) {
        await trackChanges(db, {
          table: 'role',
          entity: 'role',
          columns: ['name', 'code', 'description', 'modules', 'needs_second_factor'],
        })
      },
    },
    '005_backup_runs': {
      async up(db) {
        await sql`
          create table backup_run (
            id bigint generated always as identity primary key,
            started_at timestamptz not null,
            ended_at timestamptz not null,
            bytes bigint,
            name text,
            fault text
          )`.execute(db)
        await sql`create index backup_run_started on backup_run (started_at)`.execute(db)
      },
    },
    '006_backup_runs_begin': {
      async up(db) {
        // A run has a row from its beginning, so that one that was killed is known. An older version inserts ended runs.
        await sql`alter table backup_run alter column ended_at drop not null`.execute(db)
        await sql`alter table backup_run add column rows bigint`.execute(db)
        await sql`alter table backup_run add column checked boolean not null default false`.execute(db)
        await sql`alter table backup_run add column encrypted boolean`.execute(db)
        await sql`update backup_run set checked = true where fault is null`.execute(db)
      },
    },
  },
}
