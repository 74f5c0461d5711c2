import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { sql } from 'kysely'
import { AppError } from '../../../../platform/app-error.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import type { Scope } from '../../../../platform/scope/scope.ts'
import { toNodeKey } from '../../../network/index.ts'
import type { Place } from '../../loop/place.ts'
import { listCampaigns } from './campaign-rows.pg.ts'
import type { StoredDetail, StoredRound } from './campaign-types.ts'
import { findRound, listSteps, type StoredStep } from './rounds.pg.ts'
import type {} from './tables.ts'

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

/** The last plan's valves, as they were before the first, with what was measured of them since. */
function toMembers({ plan, verification }: StoredRound, first: StoredRound): CampaignDetail['members'] {
  const seen = new Map(verification?.members.map(({ deviceId, ...member }) => [deviceId, member]))
  const before = new Map(first.plan.members.map((member) => [member.deviceId, member.before]))
  return plan.members.map((member) => ({
    ...member,
    before: before.get(member.deviceId) ?? member.before,
    ...seen.get(member.deviceId),
  }))
}

/** What only the plan knows; nothing of one that only another version reads. */
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

export async function findDetail(db: Database, scope: Scope, id: number): Promise<StoredDetail | undefined> {
  const { rows } = await listCampaigns(db, scope, { ids: [id], limiter: { page: 1, size: 1 } })
  const [campaign] = rows
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
