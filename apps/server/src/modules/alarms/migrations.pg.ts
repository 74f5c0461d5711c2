import { sql } from 'kysely'
import { trackChanges } from '../../platform/operation/track.pg.ts'
import type { ModuleMigrations } from '../../platform/postgres/module-migrations.ts'
import { withoutUrlSecrets } from '../../platform/url-secrets.ts'

const originator = sql`
  device_id bigint references device on delete cascade,
  node_id bigint references node on delete cascade,
  originator text not null generated always as (
    case when device_id is null then 'n' || node_id else 'd' || device_id end) stored,
  check (num_nonnulls(device_id, node_id) = 1)`

export const alarmsMigrations: ModuleMigrations = {
  module: 'alarms',
  migrations: {
    '001_alarms': {
      async up(db) {
        await sql`
          create table alarm_rule (
            id bigint generated always as identity primary key,
            company_id bigint not null references company,
            node_id bigint not null references node on delete cascade,
            kind text not null,
            device_kinds text[] not null,
            enabled boolean not null,
            severity text not null,
            raise_at double precision,
            clear_at double precision,
            raise_after_s integer not null,
            clear_after_s integer not null,
            season_from text,
            season_to text,
            hour_from integer,
            hour_to integer
          )`.execute(db)
        await sql`create index alarm_rule_node on alarm_rule (node_id)`.execute(db)
        await sql`
          create table alarm (
            id bigint generated always as identity primary key,
            company_id bigint not null references company,
            kind text not null,
            severity text not null check (severity in ('critical', 'major', 'minor', 'warning')),
            state text not null default 'active'
              check (state in ('active', 'active-acknowledged', 'cleared', 'ended')),
            ${originator},
            path text collate "C" not null,
            value double precision,
            rule_id bigint references alarm_rule on delete set null,
            raised_at timestamptz not null,
            cleared_at timestamptz,
            occurrences integer not null default 1,
            acknowledged_by text,
            acknowledged_at timestamptz,
            assignee text,
            comment text not null default '',
            closed_by text,
            suppressed_by bigint references alarm on delete set null,
            told text not null default 'nothing' check (told in ('nothing', 'raised', 'cleared'))
          )`.execute(db)
        // At most one open alarm of a kind at an originator (docs/specs/alarm.md).
        await sql`
          create unique index alarm_open on alarm (originator, kind) where state <> 'ended'`.execute(db)
        await sql`create index alarm_raised on alarm (raised_at desc, id desc)`.execute(db)
        await sql`create index alarm_device on alarm (device_id)`.execute(db)
        await sql`create index alarm_node on alarm (node_id)`.execute(db)
        await sql`
          create index alarm_suppressed on alarm (suppressed_by) where suppressed_by is not null`.execute(db)
        await sql`
          create index alarm_untold on alarm (id) where (state like 'active%' and told <> 'raised')
            or (state not like 'active%' and told = 'raised')`.execute(db)
        await sql`
          create table alarm_event (
            id bigint generated always as identity primary key,
            alarm_id bigint not null references alarm on delete cascade,
            at timestamptz not null,
            event text not null,
            account text not null default '',
            detail text not null default ''
          )`.execute(db)
        await sql`create index alarm_event_alarm on alarm_event (alarm_id, id)`.execute(db)
        await sql`create index alarm_event_at on alarm_event (at desc, id desc)`.execute(db)
        await sql`
          create table alarm_delay (
            kind text not null,
            ${originator},
            phase text not null check (phase in ('raising', 'clearing')),
            since_ms bigint not null,
            primary key (originator, kind)
          )`.execute(db)
        await sql`
          create table alarm_silence (
            id bigint generated always as identity primary key,
            company_id bigint not null references company,
            node_id bigint not null references node on delete cascade,
            from_at timestamptz not null,
            until_at timestamptz not null,
            reason text not null,
            account text not null,
            ended_at timestamptz
          )`.execute(db)
        await sql`create index alarm_silence_until on alarm_silence (until_at) where ended_at is null`.execute(
          db,
        )
        await sql`
          create table alarm_target (
            id bigint generated always as identity primary key,
            company_id bigint not null references company,
            node_id bigint not null references node on delete cascade,
            name text not null,
            url text not null,
            secret text not null,
            secret_rev integer not null default 1,
            severities text[] not null,
            kinds text[] not null,
            enabled boolean not null,
            sent_at timestamptz,
            fault text
          )`.execute(db)
        await sql`
          create table alarm_notice (
            id bigint generated always as identity primary key,
            key text not null unique,
            target_id bigint not null references alarm_target on delete cascade,
            alarm_id bigint not null references alarm on delete cascade,
            body text not null,
            state text not null default 'waiting' check (state in ('waiting', 'sent', 'given-up')),
            attempts integer not null default 0,
            next_at timestamptz not null,
            created_at timestamptz not null
          )`.execute(db)
        await sql`create index alarm_notice_due on alarm_notice (next_at) where state = 'waiting'`.execute(db)
        await sql`create index alarm_notice_alarm on alarm_notice (alarm_id, target_id)`.execute(db)
        await sql`create index alarm_notice_target on alarm_notice (target_id, state)`.execute(db)
        await trackChanges(db, {
          table: 'alarm',
          entity: 'alarm',
          columns: ['acknowledged_by', 'acknowledged_at', 'assignee', 'comment', 'closed_by'],
        })
        await trackChanges(db, {
          table: 'alarm_rule',
          entity: 'alarm-rule',
          columns: [
            'node_id',
            'kind',
            'device_kinds',
            'enabled',
            'severity',
            'raise_at',
            'clear_at',
            'raise_after_s',
            'clear_after_s',
            'season_from',
            'season_to',
            'hour_from',
            'hour_to',
          ],
        })
        await trackChanges(db, {
          table: 'alarm_silence',
          entity: 'alarm-silence',
          columns: ['node_id', 'until_at', 'reason', 'ended_at'],
        })
        // The operation log contains no secret, only its revision.
        await trackChanges(db, {
          table: 'alarm_target',
          entity: 'alarm-target',
          columns: ['node_id', 'name', 'url', 'severities', 'kinds', 'enabled', 'secret_rev'],
        })
      },
    },
    '002_removals': {
      async up(db) {
        // Foreign keys need an index for deletions.
        await sql`create index alarm_rule_id on alarm (rule_id) where rule_id is not null`.execute(db)
        await sql`create index alarm_delay_device on alarm_delay (device_id)`.execute(db)
        await sql`create index alarm_delay_node on alarm_delay (node_id)`.execute(db)
        await sql`create index alarm_silence_node on alarm_silence (node_id)`.execute(db)
        await sql`create index alarm_target_node on alarm_target (node_id)`.execute(db)
      },
    },
    '003_targets': {
      async up(db) {
        await sql`create index alarm_target_company on alarm_target (company_id)`.execute(db)
        await sql`
          create index alarm_notice_waiting on alarm_notice (target_id, id) where state = 'waiting'`.execute(
          db,
        )
        // Raw network answers are deleted, and URLs are shown without secrets.
        await sql`
          alter table alarm_target add column shown_url text, add column url_rev integer not null default 1`.execute(
          db,
        )
        const { rows } = await sql<{ id: number; url: string }>`select id, url from alarm_target`.execute(db)
        for (const { id, url } of rows) {
          await sql`
            update alarm_target set fault = null, shown_url = ${withoutUrlSecrets(url)} where id = ${id}`.execute(
            db,
          )
        }
        await sql`alter table alarm_target alter column shown_url set not null`.execute(db)
        await trackChanges(db, {
          table: 'alarm_target',
          entity: 'alarm-target',
          columns: [
            'node_id',
            'name',
            'shown_url',
            'url_rev',
            'severities',
            'kinds',
            'enabled',
            'secret_rev',
          ],
        })
      },
    },
    '004_shown_paths': {
      async up(db) {
        // Tokens in paths are hidden too.
        const { rows } = await sql<{ id: number; url: string }>`select id, url from alarm_target`.execute(db)
        for (const { id, url } of rows) {
          await sql`update alarm_target set shown_url = ${withoutUrlSecrets(url)} where id = ${id}`.execute(
            db,
          )
        }
      },
    },
    '005_balances': {
      async up(db) {
        await sql`alter table alarm add column balance jsonb`.execute(db)
      },
    },
    '006_channels': {
      async up(db) {
        await sql`
          alter table alarm_target add column channel text not null default 'webhook',
            add column language text not null default 'zh', add column after_min integer not null default 0,
            add column duty jsonb`.execute(db)
        // The row of a message also records how its delivery went, for the list of deliveries.
        await sql`
          alter table alarm_notice add column fault text, add column sent_at timestamptz,
            drop constraint alarm_notice_state_check,
            add constraint alarm_notice_state_check check (state in ('waiting', 'sent', 'given-up', 'not-needed'))`.execute(
          db,
        )
        await trackChanges(db, {
          table: 'alarm_target',
          entity: 'alarm-target',
          columns: [
            'node_id',
            'name',
            'channel',
            'language',
            'after_min',
            'duty',
            'shown_url',
            'url_rev',
            'severities',
            'kinds',
            'enabled',
            'secret_rev',
          ],
        })
      },
    },
    '007_reached': {
      async up(db) {
        await sql`alter table alarm_notice add column reached text[] not null default '{}'`.execute(db)
      },
    },
    '008_reports': {
      async up(db) {
        await sql`alter table alarm_target add column report jsonb, add column reported_at timestamptz`.execute(
          db,
        )
        await sql`alter table alarm_notice alter column alarm_id drop not null`.execute(db)
        await trackChanges(db, {
          table: 'alarm_target',
          entity: 'alarm-target',
          columns: [
            'node_id',
            'name',
            'channel',
            'language',
            'after_min',
            'duty',
            'report',
            'shown_url',
            'url_rev',
            'severities',
            'kinds',
            'enabled',
            'secret_rev',
          ],
        })
      },
    },
  },
}
