import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import {
  STRATEGY_HISTORY_PAGE,
  type StrategyAbility,
  type StrategyPlan,
} from '@isotherm/contract/balancing/strategies'
import {
  addStrategy,
  endStrategy,
  getStrategies,
  getStrategy,
  getStrategyHistory,
  pauseStrategy,
  previewStrategy,
  startStrategy,
  updateStrategy,
} from '@isotherm/contract/endpoints/control/strategies'
import type { NodeKey } from '@isotherm/contract/tree'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { balancingKeys } from '../balancing-keys.ts'
import { nullIfMissing } from '../fields/null-if-missing.ts'

/** Refetch interval of strategies, ms, in case live events fail. */
const REFETCH_MS = MINUTE_MS

/** The newest strategies of one kind at, above or below nodes; no nodes means all accessible ones. */
export const strategiesQuery = (nodes: readonly NodeKey[], kind: BalanceKind, size: number) =>
  queryOptions({
    queryKey: [...balancingKeys.strategyLists, nodes, kind, size],
    queryFn: ({ signal }) =>
      call(
        getStrategies,
        { ...(nodes.length > 0 && { nodes: [...nodes] }), kinds: [kind], limiter: { page: 1, size } },
        { signal, quiet: true },
      ),
    refetchInterval: REFETCH_MS,
  })

/** A strategy with its history; null if not found or not accessible. */
export const strategyQuery = (id: number) =>
  queryOptions({
    queryKey: balancingKeys.strategy(id),
    queryFn: ({ signal }) =>
      nullIfMissing(call(getStrategy, { id }, { signal, quiet: true }), 'strategy.not-found'),
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? REFETCH_MS : false),
  })

/** A page of a strategy's history, newest first. */
export const strategyHistoryQuery = (id: number, page: number) =>
  queryOptions({
    queryKey: [...balancingKeys.strategy(id), 'history', page],
    queryFn: ({ signal }) =>
      call(
        getStrategyHistory,
        { id, limiter: { page, size: STRATEGY_HISTORY_PAGE } },
        { signal, quiet: true },
      ),
    placeholderData: keepPreviousData,
  })

/** Dry run of a plan at a node. Nothing is stored or moved. */
export const previewPlan = (node: NodeKey, plan: StrategyPlan) =>
  call(previewStrategy, { node, plan }, { quiet: true })

/** A strategy in its shown version. */
interface Shown {
  readonly id: number
  readonly version: number
}

/** Stores a plan as a new draft at a node, or replaces the plan of a strategy. */
export const storePlan = (at: NodeKey | Shown, plan: StrategyPlan) =>
  typeof at === 'string'
    ? call(addStrategy, { node: at, plan })
    : call(updateStrategy, { id: at.id, version: at.version, plan })

export type StrategyMove = Exclude<StrategyAbility, 'change'>

const endpointOf = {
  start: startStrategy,
  pause: pauseStrategy,
  end: endStrategy,
} as const satisfies Record<StrategyMove, unknown>

/** Performs an action on a strategy in its shown version; returns the new state. */
export const moveStrategy = (shown: Shown, move: StrategyMove) =>
  call(endpointOf[move], { id: shown.id, version: shown.version })
