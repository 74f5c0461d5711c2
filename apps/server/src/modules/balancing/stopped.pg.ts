import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import { sql } from 'kysely'
import { isServed } from '../../platform/cell/served.pg.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type {} from './strategies/storage/tables.ts'

/** A strategy that halted, or a campaign that aborted, by itself, and waits for a decision. */
export interface StoppedBalance {
  readonly what: 'strategy' | 'campaign'
  readonly nodeId: number
  readonly path: string
  readonly tenant: string
  readonly balance: { readonly kind: BalanceKind; readonly strategy?: number; readonly campaign?: number }
}

/**
 * Everything that is stopped in the companies that this server serves. For each loop: the strategy that was started last, unless a person rolled back its
 * campaign; and the campaign that has the loop, unless a strategy that halted because of it reports it, or is about
 * to.
 */
export async function listStopped(db: Database): Promise<readonly StoppedBalance[]> {
  const { rows } = await sql<StoppedBalance>`
    with latest as (
      select distinct on (station_node_id) id, node_id, state, plan ->> 'kind' as kind from strategy
      where started_ms is not null order by station_node_id, started_ms desc, id desc),
    halted as (
      select latest.id, latest.node_id, latest.kind, (turn.outcome ->> 'campaign')::bigint as campaign
      from latest cross join lateral (
        select event, outcome from strategy_event
        where strategy_id = latest.id and event in ('start', 'pause', 'end', 'halt') order by id desc limit 1) turn
      where latest.state = 'paused' and turn.event = 'halt' and turn.outcome ->> 'kind' <> 'turned-back'),
    stopped as (
      select 'strategy' as what, node_id, kind, id as strategy, campaign from halted
      union all
      select 'campaign', node_id, mode ->> 'kind', strategy_id, id from campaign
      where state = 'aborted' and id not in (select campaign from halted where campaign is not null)
        and not exists (
          select from strategy where strategy.campaign_id = campaign.id and strategy.state = 'running'))
    select what, node.id as "nodeId", node.path, company.tenant, jsonb_strip_nulls(
      jsonb_build_object('kind', stopped.kind, 'strategy', strategy, 'campaign', campaign)) as balance
    from stopped join node on node.id = stopped.node_id join company on company.id = node.company_id
    where ${isServed('company.id')}`.execute(db)
  return rows
}
