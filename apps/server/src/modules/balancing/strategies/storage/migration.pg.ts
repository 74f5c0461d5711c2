import { type Kysely, sql } from 'kysely'
import { trackChanges } from '../../../../platform/operation/track.pg.ts'

/** Tables of strategies, and the strategy of each campaign. */
export async function addStrategies<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table strategy (
      id bigint generated always as identity primary key,
      company_id bigint not null references company,
      node_id bigint not null references node on delete cascade,
      station_node_id bigint not null references node on delete cascade,
      station_name text not null,
      plan jsonb not null,
      state text not null check (state in ('draft', 'running', 'paused', 'ended')),
      last jsonb,
      held jsonb,
      due jsonb,
      campaign_id bigint references campaign on delete set null,
      created_by text not null,
      created_ms bigint not null,
      started_by text,
      started_ms bigint,
      account_id bigint references account on delete set null,
      account text not null,
      updated_ms bigint not null,
      ended_ms bigint,
      next_ms bigint,
      worker text,
      lease_until_ms bigint,
      look_ms bigint not null default 0,
      check ((state = 'ended') = (ended_ms is not null))
    )`.execute(db)
  // A loop has one running strategy.
  await sql`create unique index strategy_loop on strategy (station_node_id) where state = 'running'`.execute(
    db,
  )
  await sql`create index strategy_running on strategy (look_ms) where state = 'running'`.execute(db)
  await sql`create index strategy_node on strategy (node_id)`.execute(db)
  await sql`create index strategy_campaign on strategy (campaign_id)`.execute(db)
  await trackChanges(db, {
    table: 'strategy',
    entity: 'strategy',
    columns: ['node_id', 'plan', 'state', 'account'],
  })
  await sql`
    create table strategy_event (
      id bigint generated always as identity primary key,
      strategy_id bigint not null references strategy on delete cascade,
      at_ms bigint not null,
      event text not null,
      account text not null,
      outcome jsonb
    )`.execute(db)
  await sql`create index strategy_event_strategy on strategy_event (strategy_id, id)`.execute(db)
  await sql`alter table campaign add column strategy_id bigint references strategy on delete set null`.execute(
    db,
  )
  await sql`create index campaign_strategy on campaign (strategy_id)`.execute(db)
}
