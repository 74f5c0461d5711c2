import type {
  Strategy,
  StrategyDetail,
  StrategyPlan,
  StrategyPreview,
} from '@isotherm/contract/balancing/strategies'
import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  addStrategy,
  getStrategies,
  startStrategy,
  updateStrategy,
} from '@isotherm/contract/endpoints/control/strategies'
import type { Limiter } from '@isotherm/contract/filter'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { covers } from '../../../platform/scope/scope.ts'
import type { NetworkService } from '../../network/index.ts'
import { mayControl, requireControl } from '../campaign/run/policy.ts'
import type { Place } from '../loop/place.ts'
import type { Planner } from '../plan/planner.ts'
import { listAbilities } from './storage/state-machine.ts'
import { changeStrategy, moveStrategy, storeStrategyDraft } from './storage/strategy-changes.pg.ts'
import { findStrategy, listStrategies, listStrategyHistory } from './storage/strategy-queries.pg.ts'
import type {
  HistoryPage,
  PersonalStrategyEvent,
  StoredStrategy,
  StoredStrategyDetail,
  StrategyMove,
} from './storage/strategy-types.ts'
import { requireGroups } from './timeline/groups.ts'

export interface StrategyServiceNeeds {
  readonly db: Database
  readonly planner: Pick<Planner, 'findPlace'>
  readonly network: Pick<NetworkService, 'resolveNodes' | 'findParts'>
  readonly preview: (place: Place, plan: StrategyPlan) => Promise<StrategyPreview>
  readonly clock: Pick<Clock, 'now'>
}

/** A strategy and the version that the caller read. */
type SeenVersion = InputOf<typeof startStrategy>

/**
 * Strategies for a caller. Changes throw access.denied without the right to the kind, and the errors of
 * strategy-changes.
 */
export interface StrategyService {
  list(caller: Caller, query: InputOf<typeof getStrategies>): Promise<{ datalist: Strategy[]; total: number }>
  /** Throws strategy.not-found. */
  get(caller: Caller, id: number): Promise<StrategyDetail>
  /** Newest first. Throws strategy.not-found. */
  listHistory(caller: Caller, id: number, limiter: Limiter): Promise<HistoryPage>
  /** Throws the errors of the planner, strategy.group-misplaced. */
  preview(caller: Caller, input: InputOf<typeof addStrategy>): Promise<StrategyPreview>
  add(call: Call, input: InputOf<typeof addStrategy>): Promise<StrategyDetail>
  update(call: Call, input: InputOf<typeof updateStrategy>): Promise<StrategyDetail>
  move(call: Call, event: PersonalStrategyEvent, seen: SeenVersion): Promise<StrategyDetail>
}

/** Nothing is allowed if its node is not granted as a whole. */
const toAbilities = (caller: Caller, { plan, state, nodePath }: StoredStrategy): Strategy['abilities'] =>
  mayControl(caller, plan.kind) && covers(caller.scope, nodePath) ? listAbilities(state) : []

export function createStrategyService(needs: StrategyServiceNeeds): StrategyService {
  const { db, planner, network, clock } = needs

  /** Throws strategy.not-found. */
  async function find(caller: Caller, id: number): Promise<StoredStrategyDetail> {
    const found = await findStrategy(db, caller.scope, id)
    if (!found) throw new AppError('strategy.not-found')
    return found
  }

  async function get(caller: Caller, id: number): Promise<StrategyDetail> {
    const found = await find(caller, id)
    const { nodePath: _, ...strategy } = found
    return { ...strategy, abilities: toAbilities(caller, found) }
  }

  const toMove = ({ accountId, account }: Caller, { id, version }: SeenVersion): StrategyMove => ({
    id,
    version,
    accountId,
    account,
    at: clock.now(),
  })

  /** The place of a plan. Throws access.denied, balance.no-station, strategy.group-misplaced. */
  async function findPlace(caller: Caller, node: string, plan: StrategyPlan): Promise<Place> {
    requireControl(caller, plan.kind)
    const place = await planner.findPlace(node)
    await requireGroups(network, plan, place)
    return place
  }

  return {
    get,

    async list(caller, { nodes, ...query }) {
      const paths = nodes?.length ? await network.resolveNodes(caller.scope, nodes) : undefined
      const { rows, total } = await listStrategies(db, caller.scope, { ...query, paths })
      const datalist = rows.map((row): Strategy => {
        const { nodePath: _, ...strategy } = row
        return { ...strategy, abilities: toAbilities(caller, row) }
      })
      return { datalist, total }
    },

    async listHistory(caller, id, limiter) {
      const page = await listStrategyHistory(db, caller.scope, id, limiter)
      if (!page) throw new AppError('strategy.not-found')
      return page
    },

    async preview(caller, { node, plan }) {
      const place = await findPlace(caller, node, plan)
      // The answer includes every valve below.
      if (!covers(caller.scope, place.nodePath)) throw new AppError('node.not-found')
      return needs.preview(place, plan)
    },

    async add({ caller, operation }, { node, plan }) {
      const place = await findPlace(caller, node, plan)
      const { accountId, account } = caller
      const id = await storeStrategyDraft(
        db,
        { place, plan, who: { accountId, account, at: clock.now() } },
        operation,
      )
      return get(caller, id)
    },

    async update({ caller, operation }, { plan, ...seen }) {
      const { nodeName, nodePath, plan: before } = await find(caller, seen.id)
      requireControl(caller, before.kind)
      await requireGroups(network, plan, { nodeName, nodePath })
      await changeStrategy(db, plan, toMove(caller, seen), operation)
      return get(caller, seen.id)
    },

    async move({ caller, operation }, event, seen) {
      const { plan } = await find(caller, seen.id)
      requireControl(caller, plan.kind)
      await moveStrategy(db, event, toMove(caller, seen), operation)
      return get(caller, seen.id)
    },
  }
}
