import {
  STRATEGY_HISTORY_PAGE,
  type StrategyOutcome,
  type StrategyPlan,
  type StrategyState,
  type SupplyCheck,
} from '@isotherm/contract/balancing/strategies'
import type { Limiter } from '@isotherm/contract/filter'
import { sql } from 'kysely'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import { toOffset } from '../../../../platform/postgres/filter.pg.ts'
import { withoutNulls } from '../../../../platform/postgres/without-nulls.ts'
import type { Scope } from '../../../../platform/scope/scope.ts'
import { toNodeKey } from '../../../network/index.ts'
import { matchesQuery } from '../../campaign/storage/loop-rows.pg.ts'
import type { HistoryPage, StoredStrategy, StoredStrategyDetail, StrategyQuery } from './strategy-types.ts'
import type {} from './tables.ts'

interface Row {
  readonly id: number
  readonly version: number
  readonly nodeId: number
  readonly uuid: string | null
  readonly address: string | null
  readonly nodeName: string
  readonly nestaddr: string
  readonly nodePath: string
  readonly stationName: string
  readonly timeZone: string
  readonly plan: StrategyPlan
  readonly state: StrategyState
  readonly nextCheckAt: number | null
  readonly campaign: number | null
  readonly last: StrategyOutcome | null
  readonly supply: SupplyCheck | null
  readonly createdBy: string
  readonly createdAt: number
  readonly startedBy: string | null
  readonly startedAt: number | null
  readonly updatedAt: number
  readonly endedAt: number | null
}

const columns = sql`
  strategy.id, strategy.version, node.id as "nodeId", node.uuid, node.address, node.name as "nodeName", node.nestaddr,
  node.path as "nodePath", strategy.station_name as "stationName",
  (select time_zone from company where company.id = strategy.company_id) as "timeZone", strategy.plan, strategy.state,
  case when strategy.state = 'running' then strategy.next_ms end as "nextCheckAt",
  strategy.campaign_id as campaign, strategy.last, strategy.supply -> 'check' as supply,
  strategy.created_by as "createdBy", strategy.created_ms as "createdAt", strategy.started_by as "startedBy",
  strategy.started_ms as "startedAt", strategy.updated_ms as "updatedAt", strategy.ended_ms as "endedAt"`

function toStrategy({ nodeId, uuid, address, ...row }: Row): StoredStrategy {
  const { nextCheckAt, campaign, last, supply, startedBy, startedAt, endedAt, ...rest } = row
  return {
    ...rest,
    node: toNodeKey({ id: nodeId, uuid, address }),
    ...withoutNulls({ nextCheckAt, campaign, last, supply, startedBy, startedAt, endedAt }),
  }
}

/** Strategies of the nodes in the scope, newest first. */
export async function listStrategies(
  db: Database,
  scope: Scope,
  query: StrategyQuery,
): Promise<{ readonly rows: readonly StoredStrategy[]; readonly total: number }> {
  const from = sql`from strategy join node on node.id = strategy.node_id where ${matchesQuery('strategy', scope, query)}`
  const { limiter } = query
  const { rows } = await sql<Row>`
    select ${columns} ${from} order by strategy.id desc limit ${limiter.size} offset ${toOffset(limiter)}`.execute(
    db,
  )
  const counted = await sql<{ count: number }>`select count(*) ${from}`.execute(db)
  return { rows: rows.map(toStrategy), total: counted.rows[0]?.count ?? 0 }
}

/** Events of a strategy, newest first. */
async function listEvents(db: Database, id: number, limiter: Limiter): Promise<HistoryPage> {
  const ofStrategy = db.selectFrom('strategy_event').where('strategy_id', '=', id)
  const events = await ofStrategy
    .orderBy('id', 'desc')
    .limit(limiter.size)
    .offset(toOffset(limiter))
    .select(['at_ms as at', 'event', 'account', 'outcome', 'supply'])
    .execute()
  const { count } = await ofStrategy
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const datalist = events.map(({ at, event, account, outcome, supply }) => ({
    at,
    event,
    ...(account ? { by: account } : {}),
    ...(outcome ? { outcome } : {}),
    ...(supply ? { supply } : {}),
  }))
  return { datalist, total: count }
}

async function findVisible(db: Database, scope: Scope, id: number): Promise<StoredStrategy | undefined> {
  const { rows } = await listStrategies(db, scope, { ids: [id], limiter: { page: 1, size: 1 } })
  return rows[0]
}

/** Events of a strategy, newest first; undefined if its node is not in the scope. */
export async function listStrategyHistory(
  db: Database,
  scope: Scope,
  id: number,
  limiter: Limiter,
): Promise<HistoryPage | undefined> {
  return (await findVisible(db, scope, id)) && listEvents(db, id, limiter)
}

export async function findStrategy(
  db: Database,
  scope: Scope,
  id: number,
): Promise<StoredStrategyDetail | undefined> {
  const strategy = await findVisible(db, scope, id)
  if (!strategy) return undefined
  const { datalist, total } = await listEvents(db, id, { page: 1, size: STRATEGY_HISTORY_PAGE })
  return { ...strategy, history: datalist.toReversed(), historyTotal: total }
}
