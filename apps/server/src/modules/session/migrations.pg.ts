import { sql } from 'kysely'
import { trackChanges } from '../../platform/operation/track.pg.ts'
import type { ModuleMigrations } from '../../platform/postgres/module-migrations.ts'
import { reviseAccess, reviseAccessOfProjects } from './access-revision.pg.ts'
import { addDuties } from './duties/add-duties.pg.ts'
import { addIdentities } from './oidc/add-identities.pg.ts'
import { addGivenEnd } from './passwords/add-given-end.pg.ts'
import { addIdleEnd } from './passwords/add-idle-end.pg.ts'
import { addPasswordPolicies } from './passwords/add-policies.pg.ts'
import { addSecondFactor } from './second-factor/add-second-factor.pg.ts'

export const sessionMigrations: ModuleMigrations = {
  module: 'session',
  migrations: {
    '001_accounts': {
      async up(db) {
        await sql`
          create table account (
            id bigint generated always as identity primary key,
            account text not null unique check (length(account) between 1 and 64),
            name text not null,
            password_hash text not null,
            p_account text not null,
            tel text not null default '',
            utype text not null default 'usr',
            enabled boolean not null default true,
            sees_all boolean not null default false,
            is_demo boolean not null default false
          )`.execute(db)
        await sql`
          create table role (
            id bigint generated always as identity primary key,
            key text not null unique,
            name text not null,
            code integer not null unique
          )`.execute(db)
        await sql`
          create table role_permission (
            role_id bigint not null references role on delete cascade,
            permission text not null,
            primary key (role_id, permission)
          )`.execute(db)
        await sql`
          create table account_role (
            account_id bigint not null references account on delete cascade,
            role_id bigint not null references role,
            primary key (account_id, role_id)
          )`.execute(db)
        await sql`
          create table account_node (
            account_id bigint not null references account on delete cascade,
            node_id bigint not null references node on delete cascade,
            primary key (account_id, node_id)
          )`.execute(db)
        await sql`create index account_node_node on account_node (node_id)`.execute(db)
        await sql`
          create table module (
            id bigint generated always as identity primary key,
            parent_id bigint references module,
            name text not null,
            url text not null unique,
            icon text not null,
            sort integer not null,
            enabled boolean not null default true
          )`.execute(db)
      },
    },
    '002_sessions': {
      async up(db) {
        await sql`
          create table session (
            id bigint generated always as identity primary key,
            account_id bigint not null references account on delete cascade,
            browser_hash bytea not null,
            address text not null,
            created_at timestamptz not null,
            ended_at timestamptz
          )`.execute(db)
        await sql`create index session_account on session (account_id, browser_hash)`.execute(db)
        await sql`
          create table token (
            hash bytea primary key,
            session_id bigint not null references session on delete cascade,
            backend text not null check (backend in ('usr-cloud', 'ht-api')),
            expires_at timestamptz not null
          )`.execute(db)
        await sql`create index token_session on token (session_id)`.execute(db)
        await sql`create index token_expiry on token (expires_at)`.execute(db)
        await sql`
          create table login_attempt (
            key text primary key,
            failures integer not null,
            last_at timestamptz not null,
            blocked_until timestamptz not null
          )`.execute(db)
      },
    },
    '003_known_addresses': {
      async up(db) {
        await sql`
          create table login_known (
            account text not null,
            network text not null,
            last_at timestamptz not null,
            primary key (account, network)
          )`.execute(db)
        await sql`create index login_known_age on login_known (last_at)`.execute(db)
        await sql`create index login_attempt_age on login_attempt (last_at)`.execute(db)
      },
    },
    '004_registry': {
      async up(db) {
        await sql`
          create table organisation (
            id bigint generated always as identity primary key,
            company_id bigint not null references company,
            parent_id bigint,
            name text not null check (length(name) between 1 and 60),
            description text not null default '' check (length(description) <= 200),
            unique nulls not distinct (company_id, parent_id, name),
            unique (id, company_id),
            foreign key (parent_id, company_id) references organisation (id, company_id),
            check (parent_id <> id)
          )`.execute(db)
        await trackChanges(db, {
          table: 'organisation',
          entity: 'organisation',
          columns: ['parent_id', 'name', 'description'],
        })
        // Provider staff belong to no company. Only provider staff may see everything.
        await sql`
          alter table account
            add column kind text not null default 'company' check (kind in ('company', 'provider')),
            add column company_id bigint references company,
            add column parent_id bigint references account on delete set null,
            add column organisation_id bigint,
            add column created_at timestamptz not null default now(),
            add foreign key (organisation_id, company_id) references organisation (id, company_id),
            add check (parent_id <> id)`.execute(db)
        await sql`update account set company_id = (select min(id) from company) where not sees_all`.execute(
          db,
        )
        await sql`update account set kind = 'provider' where company_id is null`.execute(db)
        await sql`
          alter table account
            add check ((kind = 'provider') = (company_id is null)),
            add check (not sees_all or kind = 'provider')`.execute(db)
        await sql`create index account_company on account (company_id)`.execute(db)
        await sql`create index account_parent on account (parent_id)`.execute(db)
        await trackChanges(db, {
          table: 'account',
          entity: 'account',
          columns: [
            'account',
            'name',
            'tel',
            'utype',
            'enabled',
            'sees_all',
            'kind',
            'parent_id',
            'organisation_id',
            'p_account',
          ],
        })
        await sql`
          create table account_device (
            account_id bigint not null references account on delete cascade,
            device_id bigint not null references device on delete cascade,
            primary key (account_id, device_id)
          )`.execute(db)
        await sql`create index account_device_device on account_device (device_id)`.execute(db)
        // An account of a company can only be granted places of that company.
        await sql`
          create function isotherm_check_grant() returns trigger language plpgsql as $$
          declare
            theirs bigint := (select company_id from account where id = new.account_id);
            given bigint := case tg_table_name
              when 'account_node' then (select company_id from node where id = (to_jsonb(new) ->> 'node_id')::bigint)
              else (select company_id from device where id = (to_jsonb(new) ->> 'device_id')::bigint) end;
          begin
            if theirs is not null and theirs <> given then
              raise exception using errcode = 'check_violation', message = 'a grant outside the company';
            end if;
            return new;
          end $$`.execute(db)
        for (const column of ['node_id', 'device_id'] as const) {
          const table = column === 'node_id' ? 'account_node' : 'account_device'
          await sql`
            create trigger in_company before insert or update on ${sql.table(table)}
            for each row execute function isotherm_check_grant()`.execute(db)
          await trackChanges(db, {
            table,
            entity: column === 'node_id' ? 'user-node' : 'user-device',
            columns: ['account_id', column],
            id: ['account_id', column],
          })
        }
        await sql`
          create table role_code (
            id bigint generated always as identity primary key,
            code integer not null unique check (code between 1 and 999999),
            name text not null check (length(name) between 1 and 60),
            description text not null default '' check (length(description) <= 200)
          )`.execute(db)
        await trackChanges(db, {
          table: 'role_code',
          entity: 'role-code',
          columns: ['code', 'name', 'description'],
        })
        await sql`insert into role_code (code, name) select code, name from role`.execute(db)
        // Roles without a company serve every company. A role of a company is managed by that company.
        await sql`
          alter table role
            alter column key drop not null,
            add column company_id bigint references company,
            add column description text not null default '' check (length(description) <= 200),
            add foreign key (code) references role_code (code),
            add unique nulls not distinct (company_id, name)`.execute(db)
        await trackChanges(db, { table: 'role', entity: 'role', columns: ['name', 'code', 'description'] })
        await trackChanges(db, {
          table: 'module',
          entity: 'module',
          columns: ['parent_id', 'name', 'url', 'icon', 'sort', 'enabled'],
        })
        await sql`
          alter table role_permission add foreign key (permission) references module (url)
            on update cascade on delete cascade`.execute(db)
        await trackChanges(db, {
          table: 'role_permission',
          entity: 'role-module',
          columns: ['role_id', 'permission'],
          id: ['role_id', 'permission'],
        })
        await trackChanges(db, {
          table: 'account_role',
          entity: 'user-role',
          columns: ['account_id', 'role_id'],
          id: ['account_id', 'role_id'],
        })
      },
    },
    '005_access_signal': {
      async up(db) {
        // Every committed change of access is signalled to open connections.
        await sql`
          create function isotherm_tell_access() returns trigger language plpgsql as $$
          begin perform pg_notify('access_changed', ''); return null; end $$`.execute(db)
        for (const [table, events] of [
          ['account_node', 'insert or update or delete'],
          ['account_device', 'insert or update or delete'],
          ['account_role', 'insert or update or delete'],
          ['role_permission', 'insert or update or delete'],
          ['module', 'update of enabled or delete'],
          ['account', 'update of sees_all, enabled or delete'],
        ] as const) {
          await sql`
            create trigger tell_access after ${sql.raw(events)} on ${sql.table(table)}
            for each statement execute function isotherm_tell_access()`.execute(db)
        }
      },
    },
    '006_access_revision': { up: reviseAccess },
    '007_passwords': { up: addPasswordPolicies },
    '008_second_factor': { up: addSecondFactor },
    '009_identities': { up: addIdentities },
    '010_duties': { up: addDuties },
    '011_idle': { up: addIdleEnd },
    '012_new_projects': { up: reviseAccessOfProjects },
    '013_given_end': { up: addGivenEnd },
  },
}
