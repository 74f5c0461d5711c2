import { sql } from 'kysely'
import { trackChanges } from '../../../platform/operation/track.pg.ts'
import type { ModuleMigrations } from '../../../platform/postgres/module-migrations.ts'

export const transferMigrations: ModuleMigrations = {
  module: 'transfer',
  migrations: {
    '001_transfer': {
      async up(db) {
        await sql`
          create table transfer (
            id bigint generated always as identity primary key,
            account_id bigint not null references account on delete cascade,
            company_id bigint references company on delete cascade,
            file_name text not null check (length(file_name) between 1 and 120),
            size_bytes bigint not null default 0,
            state text not null check (state in ('uploading', 'uploaded', 'checking', 'checked', 'importing',
              'done', 'failed', 'cancelled')),
            dry_run boolean not null default true,
            operation_id bigint references operation,
            done integer not null default 0,
            total integer not null default 0,
            added integer not null default 0,
            changed integer not null default 0,
            unchanged integer not null default 0,
            failed integer not null default 0,
            fault text,
            fault_params jsonb not null default '{}',
            worker text,
            lease_until timestamptz,
            attempts integer not null default 0,
            created_at timestamptz not null,
            check (state in ('uploading', 'uploaded', 'failed', 'cancelled') or company_id is not null),
            check ((fault is not null) = (state = 'failed')),
            check ((worker is null) = (lease_until is null))
          )`.execute(db)
        await sql`create index transfer_account on transfer (account_id, id)`.execute(db)
        await sql`
          create index transfer_running on transfer (company_id, id)
          where state in ('checking', 'importing')`.execute(db)
        await trackChanges(db, {
          table: 'transfer',
          entity: 'transfer',
          columns: ['company_id', 'file_name', 'state', 'dry_run'],
        })
        await sql`
          create table transfer_file (
            transfer_id bigint not null references transfer on delete cascade,
            part integer not null,
            bytes bytea not null,
            primary key (transfer_id, part)
          )`.execute(db)
        // A workbook is already compressed.
        await sql`alter table transfer_file alter column bytes set storage external`.execute(db)
        await sql`
          create table transfer_row (
            transfer_id bigint not null references transfer on delete cascade,
            sheet text not null check (sheet in ('models', 'structure', 'devices')),
            row integer not null,
            cells jsonb not null,
            subject text not null,
            verdict text check (verdict in ('added', 'changed', 'unchanged', 'failed')),
            reason text,
            reason_params jsonb not null default '{}',
            is_stored boolean not null default false,
            primary key (transfer_id, sheet, row),
            check ((reason is not null) = (verdict is not distinct from 'failed'))
          )`.execute(db)
        await sql`create index transfer_row_verdict on transfer_row (transfer_id, verdict, sheet, row)`.execute(
          db,
        )
        await sql`
          create table transfer_node (
            transfer_id bigint not null references transfer on delete cascade,
            place text collate "C" not null,
            depth smallint not null,
            parent text collate "C",
            name text not null,
            level smallint,
            row integer,
            area_m2 double precision,
            stype text,
            description text,
            is_test boolean,
            longitude_deg double precision,
            latitude_deg double precision,
            node_id bigint,
            is_open boolean not null default false,
            is_wanted boolean not null default false,
            fault text,
            primary key (transfer_id, place)
          )`.execute(db)
        await sql`create index transfer_node_parent on transfer_node (transfer_id, parent)`.execute(db)
        await sql`create index transfer_node_depth on transfer_node (transfer_id, depth, place)`.execute(db)
        await sql`create index transfer_node_row on transfer_node (transfer_id, row)`.execute(db)
        await sql`
          create table transfer_device (
            transfer_id bigint not null references transfer on delete cascade,
            row integer not null,
            serial text not null,
            kind text not null,
            name text,
            model text,
            place text collate "C",
            concentrator text,
            period_s double precision,
            imei text,
            meter_no text,
            min_opening_pct double precision,
            max_opening_pct double precision,
            description text,
            primary key (transfer_id, row),
            unique (transfer_id, serial)
          )`.execute(db)
        await sql`create index transfer_device_imei on transfer_device (transfer_id, imei)`.execute(db)
        await sql`create index transfer_device_meter on transfer_device (transfer_id, meter_no)`.execute(db)
        await sql`
          create table transfer_model (
            transfer_id bigint not null references transfer on delete cascade,
            row integer not null,
            kind text not null,
            name text not null,
            maker text,
            description text,
            primary key (transfer_id, row),
            unique (transfer_id, kind, name)
          )`.execute(db)
      },
    },
    '002_versions': {
      async up(db) {
        await sql`alter table transfer_node add node_version integer`.execute(db)
        await sql`alter table transfer_device add device_version integer`.execute(db)
      },
    },
    '003_versions_of_marks': {
      async up(db) {
        await sql`
          alter table transfer_node add mark_version integer not null default 0,
            add gis_version integer not null default 0`.execute(db)
      },
    },
    '004_one_upload': {
      async up(db) {
        // An upload during the upgrade, while servers of two versions run, must be repeated.
        await sql`delete from transfer where state = 'uploading'`.execute(db)
        await sql`
          create unique index transfer_uploading on transfer (account_id) where state = 'uploading'`.execute(
          db,
        )
      },
    },
    '005_pipes': {
      async up(db) {
        await sql`
          alter table transfer_row drop constraint transfer_row_sheet_check,
            add check (sheet in ('models', 'structure', 'devices', 'pipes'))`.execute(db)
        await sql`
          create table transfer_pipe (
            transfer_id bigint not null references transfer on delete cascade,
            row integer not null,
            from_place text collate "C" not null,
            to_place text collate "C" not null,
            length_m double precision,
            inner_diameter_mm double precision,
            material text,
            roughness_mm double precision,
            laid_year smallint,
            pipe_version integer,
            primary key (transfer_id, row)
          )`.execute(db)
        await sql`
          create unique index transfer_pipe_ends on transfer_pipe
            (transfer_id, least(from_place, to_place), greatest(from_place, to_place))`.execute(db)
      },
    },
    '006_emitters': {
      async up(db) {
        await sql`alter table transfer_node add emitter text`.execute(db)
      },
    },
    '007_characteristics': {
      async up(db) {
        await sql`alter table transfer_device add characteristic jsonb`.execute(db)
      },
    },
    '008_readings': {
      async up(db) {
        await sql`
          alter table transfer add kind text not null default 'registry' check (kind in ('registry', 'readings')),
            add mapping jsonb, add resume_row integer not null default 0`.execute(db)
        await sql`drop index transfer_uploading`.execute(db)
        await sql`
          create unique index transfer_uploading on transfer (account_id, kind) where state = 'uploading'`.execute(
          db,
        )
        await sql`
          create table transfer_cause (
            transfer_id bigint not null references transfer on delete cascade,
            reason text not null,
            rows integer not null,
            params jsonb not null,
            is_same boolean not null,
            first integer[] not null,
            primary key (transfer_id, reason)
          )`.execute(db)
        await sql`
          create table transfer_failed (
            transfer_id bigint not null references transfer on delete cascade,
            row integer not null,
            cells jsonb not null,
            reason text not null,
            params jsonb not null,
            primary key (transfer_id, row)
          )`.execute(db)
      },
    },
    '009_irrigation': {
      async up(db) {
        await sql`
          alter table transfer_row drop constraint transfer_row_sheet_check,
            add constraint transfer_row_sheet_check check (sheet in ('models', 'structure', 'devices', 'pipes',
              'irrigation-sources', 'irrigation-groups'))`.execute(db)
        await sql`
          create table transfer_irrigation (
            transfer_id bigint not null references transfer on delete cascade,
            sheet text not null,
            row integer not null,
            parsed jsonb not null,
            place text collate "C" not null,
            source text not null,
            name text not null,
            version integer,
            primary key (transfer_id, sheet, row),
            unique (transfer_id, sheet, place, source, name)
          )`.execute(db)
      },
    },
  },
}
