import type {
  BalanceMode,
  Campaign,
  CampaignAbort,
  CampaignState,
} from '@isotherm/contract/balancing/campaign'
import { sql } from 'kysely'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import { toOffset } from '../../../../platform/postgres/filter.pg.ts'
import { withoutNulls } from '../../../../platform/postgres/without-nulls.ts'
import type { Scope } from '../../../../platform/scope/scope.ts'
import { toNodeKey } from '../../../network/index.ts'
import type { CampaignQuery, StoredCampaign } from './campaign-types.ts'
import { isAsked } from './rows-on-loop.pg.ts'
import { PLAN_FORMAT } from './stored-plan.ts'
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
  readonly mode: BalanceMode
  readonly state: CampaignState
  readonly round: number
  readonly plannedAt: number
  readonly isReadable: boolean
  readonly valves: number
  readonly moves: number
  readonly excluded: number
  readonly moved: number
  readonly abort: CampaignAbort | null
  readonly indices: Campaign['indices']
  readonly createdBy: string
  readonly createdAt: number
  readonly approvedBy: string | null
  readonly approvedAt: number | null
  readonly settledAt: number | null
  readonly updatedAt: number
  readonly endedAt: number | null
  readonly strategy: number | null
}

const columns = sql`
  campaign.id, campaign.version, node.id as "nodeId", node.uuid, node.address, node.name as "nodeName",
  node.nestaddr, node.path as "nodePath", campaign.station_name as "stationName", campaign.mode, campaign.state,
  campaign.round, campaign.planned_ms as "plannedAt",
  planned.format = ${PLAN_FORMAT} as "isReadable", planned.valves, planned.excluded,
  planned.indices || jsonb_build_object('before', first.before) as indices,
  carried.moves, carried.moved, campaign.abort, campaign.created_by as "createdBy",
  campaign.created_ms as "createdAt", campaign.approved_by as "approvedBy", campaign.approved_ms as "approvedAt",
  campaign.settled_ms as "settledAt", campaign.updated_ms as "updatedAt", campaign.ended_ms as "endedAt",
  campaign.strategy_id as strategy`

/**
 * How many valves the round at hand moves (the way back is one too, which nobody planned, and may turn a valve twice), and
 * what the loop was before the first.
 */
const withRounds = sql`
  cross join lateral (
    select * from campaign_round where campaign_id = campaign.id order by round desc limit 1
  ) planned cross join lateral (
    select count(distinct move -> 'deviceId')::integer as moves,
      coalesce(least(sum(moved) filter (where nr = 1), count(distinct move -> 'deviceId')), 0)::integer as moved
    from campaign_step left join lateral jsonb_array_elements(moves) with ordinality given (move, nr) on true
    where campaign_id = campaign.id and round = campaign.round
  ) carried cross join lateral (
    select indices -> 'before' as before from campaign_round where campaign_id = campaign.id and round = 1
  ) first`

function toCampaign({ nodeId, uuid, address, ...row }: Row): StoredCampaign {
  const { abort, approvedBy, approvedAt, settledAt, endedAt, strategy, ...rest } = row
  return {
    ...rest,
    node: toNodeKey({ id: nodeId, uuid, address }),
    ...withoutNulls({ abort, approvedBy, approvedAt, endedAt, strategy }),
    ...(row.state === 'settling' ? withoutNulls({ settledAt }) : {}),
  }
}

/** Of nodes that the scope covers, newest first. */
export async function listCampaigns(
  db: Database,
  scope: Scope,
  query: CampaignQuery,
): Promise<{ readonly rows: readonly StoredCampaign[]; readonly total: number }> {
  const asked = isAsked('campaign', scope, query)
  const { limiter } = query
  const { rows } = await sql<Row>`
    select ${columns} from (
      select campaign.* from campaign join node on node.id = campaign.node_id where ${asked}
      order by campaign.id desc limit ${limiter.size} offset ${toOffset(limiter)}
    ) campaign join node on node.id = campaign.node_id ${withRounds}
    order by campaign.id desc`.execute(db)
  const counted = await sql<{ count: number }>`
    select count(*) from campaign join node on node.id = campaign.node_id where ${asked}`.execute(db)
  return { rows: rows.map(toCampaign), total: counted.rows[0]?.count ?? 0 }
}
