import type {
  BalanceIndices,
  BalanceMode,
  Campaign,
  CampaignAbort,
  CampaignDetail,
  CampaignState,
} from '@isotherm/contract/balancing/campaign'
import { sql } from 'kysely'
import { AppError } from '../../../../platform/app-error.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import { toOffset } from '../../../../platform/postgres/filter.pg.ts'
import { withoutNulls } from '../../../../platform/postgres/without-nulls.ts'
import type { Scope } from '../../../../platform/scope/scope.ts'
import { toNodeKey } from '../../../network/index.ts'
import type { Place } from '../../loop/place.ts'
import { readMemory } from '../../plan/round-memory.ts'
import type { TrimBase } from '../../plan/trim-base.ts'
import { findRound, getRound, listSteps, type StoredStep } from './campaign-rounds.pg.ts'
import type { CampaignQuery, StoredCampaign, StoredDetail, StoredRound } from './campaign-types.ts'
import { matchesQuery } from './loop-rows.pg.ts'
import { openStates } from './state-machine.ts'
import { PLAN_FORMAT, UnreadablePlan } from './stored-plan.ts'
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
  readonly movesMade: number
  /** Full strokes ordered in the whole campaign, and moves and strokes before the newest plan. */
  readonly travelMade: number
  readonly movesEarlier: number
  readonly travelEarlier: number
  readonly abort: CampaignAbort | null
  readonly indices: Campaign['indices']
  readonly createdBy: string
  readonly createdAt: number
  readonly approvedBy: string | null
  readonly approvedAt: number | null
  readonly settledAt: number | null
  readonly trimFrom: number | null
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
  carried.moves, carried.moved, made."movesMade", made."travelMade", made."movesEarlier", made."travelEarlier",
  campaign.abort, campaign.created_by as "createdBy",
  campaign.created_ms as "createdAt", campaign.approved_by as "approvedBy", campaign.approved_ms as "approvedAt",
  campaign.settled_ms as "settledAt",
  campaign.settled_ms + (planned.plan ->> 'roomRestMs')::float8 - (planned.plan ->> 'settleMs')::float8 as "trimFrom",
  campaign.updated_ms as "updatedAt", campaign.ended_ms as "endedAt",
  campaign.strategy_id as strategy`

/**
 * Number of valves that the present round moves (a rollback is a round without a plan, and may move a valve twice);
 * moves and full strokes of all waves that were sent, and of those in the rounds before the newest plan; and the indices
 * before the first round.
 */
const withRounds = sql`
  cross join lateral (
    select * from campaign_round where campaign_id = campaign.id order by round desc limit 1
  ) planned cross join lateral (
    select count(distinct move -> 'deviceId')::integer as moves,
      coalesce(least(sum(moved) filter (where nr = 1), count(distinct move -> 'deviceId')), 0)::integer as moved
    from campaign_step left join lateral jsonb_array_elements(moves) with ordinality given (move, nr) on true
    where campaign_id = campaign.id and round = campaign.round and state <> 'dropped'
  ) carried cross join lateral (
    select count(*)::integer as "movesMade", coalesce(sum(strokes), 0)::float8 as "travelMade",
      count(*) filter (where step.round < planned.round)::integer as "movesEarlier",
      coalesce(sum(strokes) filter (where step.round < planned.round), 0)::float8 as "travelEarlier"
    from campaign_step step cross join lateral jsonb_to_recordset(step.moves) move ("fromPct" float8, "toPct" float8)
      cross join lateral (select abs("toPct" - "fromPct") / 100 as strokes) far
    where step.campaign_id = campaign.id and step.batch_id is not null
  ) made cross join lateral (
    select indices -> 'before' as before from campaign_round where campaign_id = campaign.id and round = 1
  ) first`

type Made = Pick<Row, 'movesMade' | 'travelMade' | 'movesEarlier' | 'travelEarlier'>

/** Indices of moves of a round, as those of the whole campaign; an index that a plan does not have stays absent. */
function countAllMoves({ indices, valves, ...made }: Made & Pick<Row, 'indices' | 'valves'>): Row['indices'] {
  const { expected, after } = indices
  const perValve = (value: number): number => value / Math.max(1, valves)
  const count = (of: BalanceIndices, name: string, toWhole: (round: number) => number): BalanceIndices => {
    const round = of[name]
    return round === undefined ? of : { ...of, [name]: toWhole(round) }
  }
  const more = (earlier: number) => (round: number) => round + perValve(earlier)
  return {
    ...indices,
    expected: count(
      count(expected, 'movesPerValve', more(made.movesEarlier)),
      'travelPerValve',
      more(made.travelEarlier),
    ),
    ...(after && {
      after: count(
        count(after, 'movesPerValve', () => perValve(made.movesMade)),
        'travelPerValve',
        () => perValve(made.travelMade),
      ),
    }),
  }
}

function toCampaign({ nodeId, uuid, address, ...row }: Row): StoredCampaign {
  const { abort, approvedBy, approvedAt, settledAt, trimFrom, endedAt, strategy, ...found } = row
  const { travelMade: _, movesEarlier: __, travelEarlier: ___, ...rest } = found
  return {
    ...rest,
    indices: countAllMoves(found),
    node: toNodeKey({ id: nodeId, uuid, address }),
    ...withoutNulls({ abort, approvedBy, approvedAt, endedAt, strategy }),
    ...(row.state === 'settling' ? withoutNulls({ settledAt }) : {}),
    ...(row.state === 'verified' ? withoutNulls({ trimFrom }) : {}),
  }
}

/** Campaigns of the nodes in the scope, newest first. */
export async function listCampaigns(
  db: Database,
  scope: Scope,
  query: CampaignQuery,
): Promise<{ readonly rows: readonly StoredCampaign[]; readonly total: number }> {
  const filter = matchesQuery('campaign', scope, query)
  const { limiter } = query
  const { rows } = await sql<Row>`
    select ${columns} from (
      select campaign.* from campaign join node on node.id = campaign.node_id where ${filter}
      order by campaign.id desc limit ${limiter.size} offset ${toOffset(limiter)}
    ) campaign join node on node.id = campaign.node_id ${withRounds}
    order by campaign.id desc`.execute(db)
  const counted = await sql<{ count: number }>`
    select count(*) from campaign join node on node.id = campaign.node_id where ${filter}`.execute(db)
  return { rows: rows.map(toCampaign), total: counted.rows[0]?.count ?? 0 }
}

type Step = CampaignDetail['steps'][number]

const toStep = ({ round, kind, moves, pump, state, batchId, unanswered }: StoredStep): Step => ({
  round,
  kind,
  valves: moves.length,
  state,
  unanswered,
  ...(pump ? { pump } : {}),
  ...(batchId === null ? {} : { batchId }),
})

/** Valves of the newest plan: their state before the first round, and their readings since. */
function toMembers({ plan, verification }: StoredRound, first: StoredRound): CampaignDetail['members'] {
  const seen = new Map(verification?.members.map(({ deviceId, ...member }) => [deviceId, member]))
  const before = new Map(first.plan.members.map((member) => [member.deviceId, member.before]))
  return plan.members.map((member) => ({
    ...member,
    before: before.get(member.deviceId) ?? member.before,
    ...seen.get(member.deviceId),
  }))
}

/** Fields that only the plan has; empty if the plan has the format of another server version. */
function toPlanned(
  round: StoredRound | undefined,
  first: StoredRound | undefined,
): Pick<StoredDetail, 'flows' | 'settleMs' | 'common' | 'station' | 'members'> {
  if (!round) return { station: { before: {}, expected: {} }, members: [] }
  const { plan, verification } = round
  return {
    flows: plan.flows,
    settleMs: plan.settleMs,
    ...(plan.common === undefined ? {} : { common: plan.common }),
    station: {
      ...plan.station,
      before: (first ?? round).plan.station.before,
      ...(verification ? { after: verification.station } : {}),
    },
    members: toMembers(round, first ?? round),
  }
}

export async function findCampaign(
  db: Database,
  scope: Scope,
  id: number,
): Promise<StoredCampaign | undefined> {
  const { rows } = await listCampaigns(db, scope, { ids: [id], limiter: { page: 1, size: 1 } })
  return rows[0]
}

export async function findCampaignDetail(
  db: Database,
  scope: Scope,
  id: number,
): Promise<StoredDetail | undefined> {
  const campaign = await findCampaign(db, scope, id)
  if (!campaign) return undefined
  const round = await findRound(db, id)
  const first = round?.round === 1 ? round : await findRound(db, id, 'first')
  const steps = await listSteps(db, id)
  const history = await db
    .selectFrom('campaign_event')
    .where('campaign_id', '=', id)
    .orderBy('id')
    .select(['at_ms as at', 'event', 'account'])
    .execute()
  return {
    ...campaign,
    ...toPlanned(round, first),
    steps: steps.map(toStep),
    history: history.map(({ at, event, account }) => ({ at, event, ...(account ? { by: account } : {}) })),
  }
}

/** Throws campaign.not-found. */
export async function getPlace(db: Database, id: number): Promise<Place> {
  const { rows } = await sql<
    Omit<Place, 'node'> & { id: number; uuid: string | null; address: string | null }
  >`
    select campaign.company_id as "companyId", node.id, node.uuid, node.address, node.name as "nodeName",
      node.path as "nodePath", station.id as "stationNodeId", campaign.station_name as "stationName",
      station.path as "stationPath"
    from campaign join node on node.id = campaign.node_id join node station on station.id = station_node_id
    where campaign.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw new AppError('campaign.not-found')
  const { id: nodeId, uuid, address, ...place } = row
  return { ...place, node: toNodeKey({ id: nodeId, uuid, address }) }
}

/**
 * Memory of the last accepted campaign of a station's loop; undefined if its plan has the format of another server
 * version.
 */
export async function findTrimBase(
  db: Database,
  stationNodeId: number,
): Promise<(Pick<TrimBase, 'memory'> & { readonly endedAt: number }) | undefined> {
  const last = await db
    .selectFrom('campaign')
    .where('station_node_id', '=', stationNodeId)
    .where('state', '=', 'accepted')
    .orderBy('ended_ms', 'desc')
    .select(['id', 'ended_ms'])
    .limit(1)
    .executeTakeFirst()
  if (last?.ended_ms == null) return undefined
  try {
    const { plan } = await getRound(db, last.id)
    return { memory: readMemory(plan.memory), endedAt: last.ended_ms }
  } catch (error) {
    if (error instanceof UnreadablePlan) return undefined
    throw error
  }
}

/** Number of campaigns in each state that is not final. */
export async function countOpen(db: Database): Promise<ReadonlyMap<CampaignState, number>> {
  const rows = await db
    .selectFrom('campaign')
    .where('state', 'in', openStates)
    .groupBy('state')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .execute()
  return new Map(rows.map(({ state, count }) => [state, count]))
}
