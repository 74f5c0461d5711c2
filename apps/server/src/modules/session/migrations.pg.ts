import { sql } from 'kysely'
import type { ModuleMigrations } from '../../platform/migrate.pg.ts'

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
  },
}
