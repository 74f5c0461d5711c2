import type { BalanceNow, BalanceTrend } from '@isotherm/contract/balancing/balance-now'
import type { Campaign, CampaignDetail } from '@isotherm/contract/balancing/campaign'
import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  addCampaign,
  approveCampaign,
  exportCampaign,
  getBalance,
  getBalanceTrend,
  getCampaigns,
} from '@isotherm/contract/endpoints/control/balancing'
import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Call, Caller } from '../../platform/http/call.ts'
import type { FileAnswer } from '../../platform/http/handlers.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { toWorkbook } from '../../platform/spreadsheet/workbook-writer.ts'
import type { CommandsService } from '../commands/index.ts'
import type { NetworkService } from '../network/index.ts'
import { requireControl, toAbilities } from './campaign/run/policy.ts'
import { requireRound } from './campaign/run/require-orders.ts'
import {
  checkCampaignMove,
  moveCampaign,
  putPlan,
  storeCampaignDraft,
} from './campaign/storage/campaign-changes.pg.ts'
import { findCampaignDetail, getPlace, listCampaigns } from './campaign/storage/campaign-queries.pg.ts'
import { getRound } from './campaign/storage/campaign-rounds.pg.ts'
import type { CampaignMove, PersonalEvent, StoredDetail } from './campaign/storage/campaign-types.ts'
import type { BalanceReader } from './now/balance-reader.ts'
import type { Planner } from './plan/planner.ts'
import { requireIdentified } from './plan/require-identified.ts'
import { toReport } from './report.ts'
import { texts } from './texts.ts'

export interface BalancingServiceNeeds {
  readonly db: Database
  readonly planner: Pick<Planner, 'findPlace' | 'plan' | 'trim'>
  readonly reader: BalanceReader
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly commands: Pick<CommandsService, 'preview' | 'requireHead'>
  /** Time zone of a campaign's company. */
  readonly findTimeZone: (campaignId: number) => Promise<string>
  readonly clock: Pick<Clock, 'now'>
}

/** A campaign and the version that the caller read. */
type SeenVersion = InputOf<typeof approveCampaign>

/**
 * Balances and campaigns for a caller. A change throws access.denied if the caller may not control this kind of balance,
 * and the errors of campaign-changes.pg.ts.
 */
export interface BalancingService {
  getBalance(caller: Caller, query: InputOf<typeof getBalance>): Promise<BalanceNow>
  getTrend(caller: Caller, query: InputOf<typeof getBalanceTrend>): Promise<BalanceTrend>
  list(caller: Caller, query: InputOf<typeof getCampaigns>): Promise<{ datalist: Campaign[]; total: number }>
  /** Throws campaign.not-found. */
  get(caller: Caller, id: number): Promise<CampaignDetail>
  add(call: Call, input: InputOf<typeof addCampaign>): Promise<CampaignDetail>
  replan(call: Call, seen: SeenVersion): Promise<CampaignDetail>
  trim(call: Call, seen: SeenVersion): Promise<CampaignDetail>
  /** Also throws the errors of `requireRound`, as `trim` does. */
  approve(call: Call, seen: SeenVersion): Promise<CampaignDetail>
  move(call: Call, event: Exclude<PersonalEvent, 'approve'>, seen: SeenVersion): Promise<CampaignDetail>
  exportReport(call: Call, input: InputOf<typeof exportCampaign>): Promise<FileAnswer>
}

/** The abort reason without starved valves that the caller may not see: a campaign watches the whole loop. */
function toOwnAbort({
  abort,
  members,
}: Pick<StoredDetail, 'abort' | 'members'>): Pick<CampaignDetail, 'abort'> {
  if (abort?.kind !== 'starved') return {}
  const own = new Set(members.map(({ deviceId }) => deviceId))
  return { abort: { ...abort, deviceIds: abort.deviceIds.filter((deviceId) => own.has(deviceId)) } }
}

export function createBalancingService(needs: BalancingServiceNeeds): BalancingService {
  const { db, planner, reader, commands, clock } = needs

  async function find(caller: Caller, id: number): Promise<StoredDetail> {
    const found = await findCampaignDetail(db, caller.scope, id)
    if (!found) throw new AppError('campaign.not-found')
    return found
  }

  async function get(caller: Caller, id: number): Promise<CampaignDetail> {
    const found = await find(caller, id)
    const { nodePath: _, isReadable: __, ...campaign } = found
    return { ...campaign, ...toOwnAbort(found), abilities: toAbilities(caller, found, clock.now()) }
  }

  const toMove = ({ accountId, account }: Caller, { id, version }: SeenVersion): CampaignMove => ({
    id,
    version,
    accountId,
    account,
    at: clock.now(),
  })

  /** Throws access.denied, campaign.not-found. */
  async function requireAccess(caller: Caller, id: number): Promise<StoredDetail> {
    const found = await find(caller, id)
    requireControl(caller, found.mode.kind)
    return found
  }

  return {
    get,

    async getBalance({ scope }, { node }) {
      return reader.getBalance(await planner.findPlace(node), scope)
    },

    async getTrend({ scope }, { node, ...range }) {
      return reader.getTrend(await planner.findPlace(node), range, scope)
    },

    async list(caller, { nodes, ...query }) {
      const paths = nodes?.length ? await needs.network.resolveNodes(caller.scope, nodes) : undefined
      const { rows, total } = await listCampaigns(db, caller.scope, { ...query, paths })
      const now = clock.now()
      const datalist = rows.map((row): Campaign => {
        const { nodePath: _, plannedAt: __, isReadable: ___, ...campaign } = row
        const abort = toOwnAbort({ abort: row.abort, members: [] })
        return { ...campaign, ...abort, abilities: toAbilities(caller, row, now) }
      })
      return { datalist, total }
    },

    async add({ caller, operation }, { node, mode }) {
      requireControl(caller, mode.kind)
      const place = await planner.findPlace(node)
      const plan = await planner.plan(place, mode)
      requireIdentified(plan)
      const { accountId, account } = caller
      const id = await storeCampaignDraft(
        db,
        { place, mode, plan, who: { accountId, account, at: clock.now() } },
        operation,
      )
      return get(caller, id)
    },

    async replan({ caller, operation }, seen) {
      const { mode } = await requireAccess(caller, seen.id)
      await checkCampaignMove(db, 'replan', toMove(caller, seen))
      const plan = await planner.plan(await getPlace(db, seen.id), mode)
      requireIdentified(plan)
      await putPlan(db, 'replan', { move: toMove(caller, seen), plan }, operation)
      return get(caller, seen.id)
    },

    async trim({ caller, operation }, seen) {
      const { mode } = await requireAccess(caller, seen.id)
      await checkCampaignMove(db, 'trim', toMove(caller, seen))
      const { plan, verification } = await getRound(db, seen.id)
      if (!verification) throw new AppError('campaign.not-now')
      const next = await planner.trim(await getPlace(db, seen.id), mode, plan, verification)
      await requireRound(commands, caller, next)
      await putPlan(db, 'trim', { move: toMove(caller, seen), plan: next }, operation)
      return get(caller, seen.id)
    },

    async approve({ caller, operation }, seen) {
      await requireAccess(caller, seen.id)
      await checkCampaignMove(db, 'approve', toMove(caller, seen))
      const { plan } = await getRound(db, seen.id)
      await requireRound(commands, caller, plan)
      await moveCampaign(db, 'approve', toMove(caller, seen), operation)
      return get(caller, seen.id)
    },

    async move({ caller, operation }, event, seen) {
      await requireAccess(caller, seen.id)
      await moveCampaign(db, event, toMove(caller, seen), operation)
      return get(caller, seen.id)
    },

    async exportReport({ caller }, { id, language }) {
      const [campaign, timeZone] = await Promise.all([find(caller, id), needs.findTimeZone(id)])
      const fileName = `${texts[language].file}-${id}-${new Date(clock.now()).toISOString().slice(0, 10)}.xlsx`
      return { fileName, bytes: toWorkbook(toReport(campaign, language, timeZone)) }
    },
  }
}
