import { z } from 'zod'
import {
  STRATEGY_HISTORY_PAGE,
  strategy,
  strategyDetail,
  strategyHistoryEntry,
  strategyKind,
  strategyPlan,
  strategyPreview,
  strategyState,
} from '../../balancing/strategies.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import type { ErrorCode } from '../../errors.ts'
import { limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'
import { watching } from './balancing.ts'

const common = { backend: 'ht-api', method: 'POST' } as const
/** The service also requires the page of the kind. */
const controlling = requiresPermission('pe-fmcontrol')
const node = refersTo('node', nodeKey)
const id = refersTo('strategy', z.number().int().positive())

export const getStrategies = defineEndpoint({
  ...common,
  path: '/Balance/GetStrategies',
  summary: 'Strategies at, above or below nodes, newest first, of nodes granted to the caller.',
  access: watching,
  effect: 'reads',
  input: z.object({
    nodes: z.array(node).max(2_000).optional(),
    kinds: z.array(strategyKind).min(1).max(4).optional(),
    states: z.array(strategyState).min(1).max(4).optional(),
    limiter: limiter.default({ page: 1, size: 50 }),
  }),
  output: pageOf(strategy),
  errors: ['node.not-found'],
})

export const getStrategy = defineEndpoint({
  ...common,
  path: '/Balance/GetStrategy',
  summary: 'A strategy with its newest events.',
  access: watching,
  effect: 'reads',
  input: z.object({ id }),
  output: strategyDetail,
  errors: ['strategy.not-found'],
})

export const getStrategyHistory = defineEndpoint({
  ...common,
  path: '/Balance/GetStrategyHistory',
  summary: 'All events of a strategy, newest first.',
  access: watching,
  effect: 'reads',
  input: z.object({ id, limiter: limiter.default({ page: 1, size: STRATEGY_HISTORY_PAGE }) }),
  output: pageOf(strategyHistoryEntry),
  errors: ['strategy.not-found'],
})

export const previewStrategy = defineEndpoint({
  ...common,
  path: '/Balance/PreviewStrategy',
  summary:
    'Dry run of a strategy: what it would do now, or a sequence in the next week. Nothing is stored or moved.',
  access: controlling,
  effect: 'reads',
  input: z.object({ node, plan: strategyPlan }),
  output: strategyPreview,
  errors: [
    'node.not-found',
    'balance.no-station',
    'balance.too-large',
    'balance.no-valves',
    'balance.no-head',
    'balance.no-flow',
    'balance.no-rooms',
    'balance.not-measured',
    'balance.no-weather',
    'balance.not-identified',
    'balance.rooms-moving',
    'strategy.group-misplaced',
  ],
})

export const addStrategy = defineEndpoint({
  ...common,
  path: '/Balance/AddStrategy',
  summary: 'Stores a strategy for the valves below a node, all in the loop of one heat station, as a draft.',
  access: controlling,
  effect: 'changes',
  apiKeys: 'refused',
  input: z.object({ node, plan: strategyPlan }),
  output: strategyDetail,
  errors: ['node.not-found', 'balance.no-station', 'strategy.group-misplaced'],
})

export const updateStrategy = defineEndpoint({
  ...common,
  path: '/Balance/UpdateStrategy',
  summary: 'Changes the plan of a strategy that is not running. Its kind and node cannot be changed.',
  access: controlling,
  effect: 'changes',
  apiKeys: 'refused',
  input: z.object({ id, version, plan: strategyPlan }),
  output: strategyDetail,
  errors: [
    'node.not-found',
    'strategy.not-found',
    'strategy.not-now',
    'strategy.group-misplaced',
    'entity.stale',
  ],
})

const toStrategyCall = (name: string, summary: string, errors: readonly ErrorCode[] = []) =>
  defineEndpoint({
    ...common,
    path: `/Balance/${name}Strategy`,
    summary,
    access: controlling,
    effect: 'changes',
    apiKeys: 'refused',
    input: z.object({ id, version }),
    output: strategyDetail,
    errors: ['strategy.not-found', 'strategy.not-now', 'entity.stale', ...errors],
  })

export const startStrategy = toStrategyCall(
  'Start',
  'Starts a strategy. It then starts campaigns automatically, on behalf of the caller.',
  ['strategy.loop-taken'],
)
export const pauseStrategy = toStrategyCall(
  'Pause',
  'Pauses a strategy: it starts no further campaign. Its running campaign continues, and belongs to the strategy again after a restart.',
)
export const endStrategy = toStrategyCall(
  'End',
  'Ends a strategy permanently. Its running campaign continues, and users decide about it.',
)

export const strategiesEndpoints = {
  getStrategies,
  getStrategy,
  getStrategyHistory,
  previewStrategy,
  addStrategy,
  updateStrategy,
  startStrategy,
  pauseStrategy,
  endStrategy,
} as const
