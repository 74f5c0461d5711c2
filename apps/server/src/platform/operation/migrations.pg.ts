import { sql } from 'kysely'
import type { ModuleMigrations } from '../postgres/module-migrations.ts'

/**
 * The operation log and the functions of its triggers. The setting `isotherm.operation` holds the operation of a
 * transaction. Without it (imports at the start, tests, migrations) nothing is recorded.
 */
export const operationMigrations: ModuleMigrations = {
  module: 'operation',
  migrations: {
    '001_log': {
      async up(db) {
        await sql`
          create table operation (
            id bigint generated always as identity primary key,
            at timestamptz not null,
            account_id bigint,
            account text not null,
            company_id bigint,
            endpoint text not null,
            address text not null,
            request_id text not null,
            result text not null,
            input jsonb not null
          )`.execute(db)
        await sql`create index operation_account on operation (account_id, id)`.execute(db)
        await sql`create index operation_at on operation (at, id)`.execute(db)
        await sql`
          create table operation_change (
            id bigint generated always as identity primary key,
            operation_id bigint not null references operation,
            entity text not null,
            entity_id text not null,
            version integer,
            action text not null check (action in ('added', 'changed', 'removed')),
            path text collate "C",
            before jsonb,
            after jsonb
          )`.execute(db)
        await sql`create index operation_change_entity on operation_change (entity, entity_id, id)`.execute(
          db,
        )
        await sql`create index operation_change_operation on operation_change (operation_id)`.execute(db)
        await sql`create index operation_change_path on operation_change (path)`.execute(db)
        await sql`
          create function isotherm_refuse() returns trigger language plpgsql as $$
          begin raise exception 'the operation log is only added to'; end $$`.execute(db)
        for (const table of ['operation', 'operation_change']) {
          await sql`
            create trigger append_only before update or delete or truncate on ${sql.table(table)}
            for each statement execute function isotherm_refuse()`.execute(db)
        }
        await sql`
          create function isotherm_bump_version() returns trigger language plpgsql as $$
          begin new.version := old.version + 1; return new; end $$`.execute(db)
        // Arguments: entity, comma-joined columns of its id, comma-joined columns to record.
        await sql`
          create function isotherm_note_changes() returns trigger language plpgsql as $$
          declare
            op bigint := nullif(current_setting('isotherm.operation', true), '')::bigint;
            keys text[] := string_to_array(tg_argv[1], ',');
            columns text[] := string_to_array(tg_argv[2], ',');
          begin
            if op is null then return null; end if;
            if tg_op = 'INSERT' then
              insert into operation_change (operation_id, entity, entity_id, version, action, path, before, after)
              select op, tg_argv[0],
                (select string_agg(it ->> key, ':' order by nr) from unnest(keys) with ordinality as k (key, nr)),
                (it ->> 'version')::integer, 'added', isotherm_path_of(it), null,
                (select jsonb_object_agg(name, it -> name) from unnest(columns) name)
              from (select to_jsonb(n) as it from new_rows n) given;
            elsif tg_op = 'DELETE' then
              insert into operation_change (operation_id, entity, entity_id, version, action, path, before, after)
              select op, tg_argv[0],
                (select string_agg(it ->> key, ':' order by nr) from unnest(keys) with ordinality as k (key, nr)),
                (it ->> 'version')::integer, 'removed', isotherm_path_of(it),
                (select jsonb_object_agg(name, it -> name) from unnest(columns) name), null
              from (select to_jsonb(o) as it from old_rows o) given;
            else
              insert into operation_change (operation_id, entity, entity_id, version, action, path, before, after)
              select op, tg_argv[0],
                (select string_agg(now ->> key, ':' order by nr) from unnest(keys) with ordinality as k (key, nr)),
                (now ->> 'version')::integer, 'changed', isotherm_path_of(now),
                (select jsonb_object_agg(name, was -> name) from unnest(columns) name
                  where was -> name is distinct from now -> name),
                (select jsonb_object_agg(name, now -> name) from unnest(columns) name
                  where was -> name is distinct from now -> name)
              from (
                select to_jsonb(o) as was, to_jsonb(n) as now
                from old_rows o join new_rows n on n.id = o.id where n.version <> o.version
              ) given;
            end if;
            return null;
          end $$`.execute(db)
        await sql`
          create function isotherm_path_of(it jsonb) returns text language plpgsql stable as $$
          begin
            if it ? 'path' then return it ->> 'path'; end if;
            if it ? 'node_id' then
              return (select path from node where id = (it ->> 'node_id')::bigint);
            end if;
            return null;
          end $$`.execute(db)
      },
    },
    '002_device_path': {
      async up(db) {
        // An entity of a device, for example a command, has the path of the device.
        await sql`
          create or replace function isotherm_path_of(it jsonb) returns text language plpgsql stable as $$
          begin
            if it ? 'path' then return it ->> 'path'; end if;
            if it ? 'node_id' then
              return (select path from node where id = (it ->> 'node_id')::bigint);
            end if;
            if it ? 'device_id' then
              return (
                select node.path || 'd' || device.id || '/' from device join node on node.id = device.node_id
                where device.id = (it ->> 'device_id')::bigint);
            end if;
            return null;
          end $$`.execute(db)
      },
    },
    '003_search': {
      async up(db) {
        // For lists in order of time with any other filter.
        await sql`create index operation_account_name on operation (account, at, id)`.execute(db)
        await sql`create index operation_endpoint on operation (endpoint, at, id)`.execute(db)
      },
    },
    '004_plans': {
      async up(db) {
        // A cached plan made for a change of one row compares all rows of a large change with each other. So the
        // statement is planned for each change, with its actual number of rows.
        await sql`
          create or replace function isotherm_note_changes() returns trigger language plpgsql as $$
          declare
            op bigint := nullif(current_setting('isotherm.operation', true), '')::bigint;
            keys text[] := string_to_array(tg_argv[1], ',');
            columns text[] := string_to_array(tg_argv[2], ',');
          begin
            if op is null then return null; end if;
            if tg_op = 'INSERT' then
              insert into operation_change (operation_id, entity, entity_id, version, action, path, before, after)
              select op, tg_argv[0],
                (select string_agg(it ->> key, ':' order by nr) from unnest(keys) with ordinality as k (key, nr)),
                (it ->> 'version')::integer, 'added', isotherm_path_of(it), null,
                (select jsonb_object_agg(name, it -> name) from unnest(columns) name)
              from (select to_jsonb(n) as it from new_rows n) given;
            elsif tg_op = 'DELETE' then
              insert into operation_change (operation_id, entity, entity_id, version, action, path, before, after)
              select op, tg_argv[0],
                (select string_agg(it ->> key, ':' order by nr) from unnest(keys) with ordinality as k (key, nr)),
                (it ->> 'version')::integer, 'removed', isotherm_path_of(it),
                (select jsonb_object_agg(name, it -> name) from unnest(columns) name), null
              from (select to_jsonb(o) as it from old_rows o) given;
            else
              execute 'insert into operation_change
                  (operation_id, entity, entity_id, version, action, path, before, after)
                select $1, $2,
                  (select string_agg(now ->> key, '':'' order by nr) from unnest($3) with ordinality as k (key, nr)),
                  (now ->> ''version'')::integer, ''changed'', isotherm_path_of(now),
                  (select jsonb_object_agg(name, was -> name) from unnest($4) name
                    where was -> name is distinct from now -> name),
                  (select jsonb_object_agg(name, now -> name) from unnest($4) name
                    where was -> name is distinct from now -> name)
                from (
                  select to_jsonb(o) as was, to_jsonb(n) as now
                  from old_rows o join new_rows n on n.id = o.id where n.version <> o.version
                ) given' using op, tg_argv[0], keys, columns;
            end if;
            return null;
          end $$`.execute(db)
      },
    },
    '004_rows_once': {
      async up(db) {
        // "offset 0" prevents the planner from converting a row to JSON once per column.
        await sql`
          create or replace function isotherm_note_changes() returns trigger language plpgsql as $$
          declare
            op bigint := nullif(current_setting('isotherm.operation', true), '')::bigint;
            keys text[] := string_to_array(tg_argv[1], ',');
            columns text[] := string_to_array(tg_argv[2], ',');
          begin
            if op is null then return null; end if;
            if tg_op = 'INSERT' then
              insert into operation_change (operation_id, entity, entity_id, version, action, path, before, after)
              select op, tg_argv[0],
                (select string_agg(it ->> key, ':' order by nr) from unnest(keys) with ordinality as k (key, nr)),
                (it ->> 'version')::integer, 'added', isotherm_path_of(it), null,
                (select jsonb_object_agg(name, it -> name) from unnest(columns) name)
              from (select to_jsonb(n) as it from new_rows n offset 0) given;
            elsif tg_op = 'DELETE' then
              insert into operation_change (operation_id, entity, entity_id, version, action, path, before, after)
              select op, tg_argv[0],
                (select string_agg(it ->> key, ':' order by nr) from unnest(keys) with ordinality as k (key, nr)),
                (it ->> 'version')::integer, 'removed', isotherm_path_of(it),
                (select jsonb_object_agg(name, it -> name) from unnest(columns) name), null
              from (select to_jsonb(o) as it from old_rows o offset 0) given;
            else
              execute 'insert into operation_change
                  (operation_id, entity, entity_id, version, action, path, before, after)
                select $1, $2,
                  (select string_agg(now ->> key, '':'' order by nr) from unnest($3) with ordinality as k (key, nr)),
                  (now ->> ''version'')::integer, ''changed'', isotherm_path_of(now),
                  (select jsonb_object_agg(name, was -> name) from unnest($4) name
                    where was -> name is distinct from now -> name),
                  (select jsonb_object_agg(name, now -> name) from unnest($4) name
                    where was -> name is distinct from now -> name)
                from (
                  select to_jsonb(o) as was, to_jsonb(n) as now
                  from old_rows o join new_rows n on n.id = o.id where n.version <> o.version offset 0
                ) given' using op, tg_argv[0], keys, columns;
            end if;
            return null;
          end $$`.execute(db)
      },
    },
    '005_retention': {
      async up(db) {
        // Entries may be deleted once they are six months old, whatever the program asks for.
        for (const table of ['operation', 'operation_change']) {
          await sql`
            create or replace trigger append_only before update or truncate on ${sql.table(table)}
            for each statement execute function isotherm_refuse()`.execute(db)
        }
        await sql`
          create trigger keep_young before delete on operation
          for each row when (old.at > now() - interval '180 days') execute function isotherm_refuse()`.execute(
          db,
        )
        await sql`
          create function isotherm_refuse_young_change() returns trigger language plpgsql as $$
          begin
            if exists (select from operation where id = old.operation_id and at > now() - interval '180 days') then
              raise exception 'the operation log is only added to';
            end if;
            return old;
          end $$`.execute(db)
        await sql`
          create trigger keep_young before delete on operation_change
          for each row execute function isotherm_refuse_young_change()`.execute(db)
      },
    },
  },
}
