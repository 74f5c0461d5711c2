import { sql } from 'kysely'
import { trackChanges } from '../../platform/operation/track.pg.ts'
import type { ModuleMigrations } from '../../platform/postgres/module-migrations.ts'
import { renameMinMaxKeys } from './rename-keys.pg.ts'
import { addEnergyPrices } from './savings/migration.pg.ts'
import { addStrategies } from './strategies/storage/migration.pg.ts'
import { addSupply } from './strategies/storage/supply-migration.pg.ts'

export const balancingMigrations: ModuleMigrations = {
  module: 'balancing',
  migrations: {
    '001_campaigns': {
      async up(db) {
        await sql`
          create table campaign (
            id bigint generated always as identity primary key,
            company_id bigint not null references company,
            node_id bigint not null references node on delete cascade,
            station_node_id bigint not null references node on delete cascade,
            station_name text not null,
            mode jsonb not null,
            state text not null check (state in ('draft', 'executing', 'paused', 'settling', 'verified', 'aborted',
              'rolling-back', 'accepted', 'rolled-back', 'discarded')),
            round integer not null default 1 check (round > 0),
            planned_ms bigint not null,
            abort jsonb,
            settled_ms bigint,
            created_by text not null,
            created_ms bigint not null,
            approved_by text,
            approved_ms bigint,
            account_id bigint references account on delete set null,
            account text not null,
            updated_ms bigint not null,
            ended_ms bigint,
            worker text,
            lease_until_ms bigint,
            look_ms bigint not null default 0,
            check ((state in ('accepted', 'rolled-back', 'discarded')) = (ended_ms is not null)),
            check (state <> 'settling' or settled_ms is not null)
          )`.execute(db)
        // Each loop has at most one campaign between approval and end.
        await sql`
          create unique index campaign_loop on campaign (station_node_id)
          where state not in ('draft', 'accepted', 'rolled-back', 'discarded')`.execute(db)
        await sql`
          create index campaign_running on campaign (look_ms)
          where state in ('executing', 'paused', 'settling', 'rolling-back')`.execute(db)
        await sql`create index campaign_node on campaign (node_id)`.execute(db)
        await sql`create index campaign_station on campaign (station_node_id)`.execute(db)
        await trackChanges(db, {
          table: 'campaign',
          entity: 'campaign',
          columns: ['node_id', 'mode', 'state', 'round', 'planned_ms', 'abort', 'approved_by', 'account'],
        })
        await sql`
          create table campaign_round (
            campaign_id bigint not null references campaign on delete cascade,
            round integer not null,
            format integer not null,
            plan jsonb not null,
            indices jsonb not null,
            valves integer not null,
            excluded integer not null,
            verification jsonb,
            primary key (campaign_id, round)
          )`.execute(db)
        // The batch is stored after the step that names it, in the same transaction.
        await sql`
          create table campaign_step (
            campaign_id bigint not null references campaign on delete cascade,
            round integer not null,
            step integer not null,
            kind text not null check (kind in ('open', 'close', 'back')),
            moves jsonb not null,
            state text not null default 'waiting' check (state in ('waiting', 'given', 'done')),
            batch_id text references command_batch deferrable initially deferred,
            moved integer not null default 0,
            answered_ms bigint,
            unanswered integer not null default 0,
            primary key (campaign_id, round, step),
            check (state <> 'waiting' or batch_id is null),
            check (state <> 'given' or batch_id is not null)
          )`.execute(db)
        await sql`create index campaign_step_batch on campaign_step (batch_id)`.execute(db)
        await sql`
          create table campaign_event (
            id bigint generated always as identity primary key,
            campaign_id bigint not null references campaign on delete cascade,
            at_ms bigint not null,
            event text not null,
            account text not null
          )`.execute(db)
        await sql`create index campaign_event_campaign on campaign_event (campaign_id, id)`.execute(db)
      },
    },
    '002_strategies': { up: addStrategies },
    '003_pumps': {
      async up(db) {
        await sql`
          alter table campaign_step
            add column pump jsonb,
            drop constraint campaign_step_kind_check,
            add check (kind in ('open', 'close', 'pump', 'back')),
            add check (kind <> 'pump' or pump is not null)`.execute(db)
      },
    },
    '004_take_back': {
      async up(db) {
        await sql`
          alter table campaign_step
            drop constraint campaign_step_kind_check,
            add check (kind in ('open', 'close', 'pump', 'take-back', 'back'))`.execute(db)
      },
    },
    '005_min_max_names': { up: renameMinMaxKeys },
    '006_supply': { up: addSupply },
    '007_energy_prices': { up: addEnergyPrices },
    '008_missed_valves': {
      async up(db) {
        await sql`alter table campaign_step add column missed jsonb not null default '[]'`.execute(db)
      },
    },
    '009_dropped_waves': {
      async up(db) {
        await sql`
          alter table campaign_step
            drop constraint campaign_step_state_check,
            add check (state in ('waiting', 'given', 'done', 'dropped'))`.execute(db)
      },
    },
  },
}
