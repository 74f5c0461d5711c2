import { z } from 'zod'
import { balanceKind } from '../../balancing/balance-kind.ts'
import { balanceNow, balanceTrend } from '../../balancing/balance-now.ts'
import { campaign, campaignDetail, campaignState, requestedMode } from '../../balancing/campaign.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant, version } from '../../entity.ts'
import type { ErrorCode } from '../../errors.ts'
import { limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

const common = { backend: 'ht-api', method: 'POST' } as const
/** Pages that show balancing, campaigns and strategies. */
export const watching = requiresPermission('pe-egmonitor', 'pe-sxmonitor', 'pe-enmonitor', 'pe-flowmonitor')
/** The service also requires the page of the mode. */
const controlling = requiresPermission('pe-fmcontrol')
const node = refersTo('node', nodeKey)
const id = refersTo('campaign', z.number().int().positive())

export const getBalance = defineEndpoint({
  ...common,
  path: '/Balance/GetBalance',
  summary: 'Indices of the loop of one heat station, and its valves below a node, from the newest readings.',
  access: watching,
  effect: 'reads',
  input: z.object({ node }),
  output: balanceNow,
  errors: ['node.not-found', 'balance.no-station', 'balance.too-large'],
})

export const getBalanceTrend = defineEndpoint({
  ...common,
  path: '/Balance/GetBalanceTrend',
  summary: 'Deviation of the return temperatures of the valves below a node over a half-open time range.',
  access: watching,
  effect: 'reads',
  input: z.object({ node, from: instant, to: instant }),
  output: balanceTrend,
  errors: ['node.not-found', 'balance.no-station', 'balance.too-large', 'history.range-too-large'],
})

export const getCampaigns = defineEndpoint({
  ...common,
  path: '/Balance/GetCampaigns',
  summary: 'Campaigns at, above or below nodes, newest first, of loops granted to the caller.',
  access: watching,
  effect: 'reads',
  input: z.object({
    nodes: z.array(node).max(2_000).optional(),
    kinds: z.array(balanceKind).min(1).max(4).optional(),
    states: z.array(campaignState).min(1).max(10).optional(),
    limiter: limiter.default({ page: 1, size: 50 }),
  }),
  output: pageOf(campaign),
  errors: ['node.not-found'],
})

export const getCampaign = defineEndpoint({
  ...common,
  path: '/Balance/GetCampaign',
  summary: 'A campaign with its plan, its valves and their readings.',
  access: watching,
  effect: 'reads',
  input: z.object({ id }),
  output: campaignDetail,
  errors: ['campaign.not-found'],
})

export const addCampaign = defineEndpoint({
  ...common,
  path: '/Balance/AddCampaign',
  summary:
    'Plans the balancing of the valves below a node, all in the loop of one heat station. Nothing is moved.',
  access: controlling,
  effect: 'changes',
  apiKeys: 'refused',
  input: z.object({ node, mode: requestedMode }),
  output: campaignDetail,
  errors: [
    'node.not-found',
    'balance.no-station',
    'balance.too-large',
    'balance.no-valves',
    'balance.no-head',
    'balance.no-flow',
    'balance.no-rooms',
    'balance.not-measured',
    'balance.not-identified',
    'balance.rooms-moving',
  ],
})

const toCampaignCall = (name: string, summary: string, errors: readonly ErrorCode[] = []) =>
  defineEndpoint({
    ...common,
    path: `/Balance/${name}Campaign`,
    summary,
    access: controlling,
    effect: 'changes',
    apiKeys: 'refused',
    input: z.object({ id, version }),
    output: campaignDetail,
    errors: [
      'campaign.not-found',
      'campaign.not-now',
      'campaign.loop-taken',
      'balance.no-valves',
      'balance.no-head',
      'balance.no-flow',
      'balance.no-rooms',
      'balance.not-measured',
      'balance.no-weather',
      'balance.not-identified',
      'balance.rooms-moving',
      'entity.stale',
      ...errors,
    ],
  })
/** Calls that start a round. If a command of any of its waves would be refused, the call is refused. */
const refusals = [
  'command.outside-limits',
  'command.head-outside',
  'command.held',
  'command.total-too-low',
  'device.not-controllable',
  'device.not-found',
] as const

export const replanCampaign = toCampaignCall('Replan', 'Plans a draft again from the present readings.')
export const approveCampaign = toCampaignCall(
  'Approve',
  'Approves a draft and executes it wave by wave.',
  refusals,
)
export const discardCampaign = toCampaignCall('Discard', 'Drops a draft.')
export const pauseCampaign = toCampaignCall(
  'Pause',
  'Pauses a campaign: no further wave is sent. Commands that were sent continue.',
)
export const resumeCampaign = toCampaignCall('Resume', 'Resumes a paused campaign.')
export const trimCampaign = toCampaignCall(
  'Trim',
  'Starts a further round for the valves that have not reached their target, corrected by the measured effect of the round before.',
  refusals,
)
export const acceptCampaign = toCampaignCall('Accept', 'Ends a campaign. The valves keep their openings.')
export const rollbackCampaign = toCampaignCall(
  'Rollback',
  'Rolls a campaign back: restores the openings and heads from before it, the last wave first.',
)

export const exportCampaign = defineEndpoint({
  ...common,
  path: '/Balance/ExportCampaign',
  summary: 'The report of a campaign as a workbook: its plan, its valves before and after, and its indices.',
  access: watching,
  effect: 'reads',
  input: z.object({ id, language: z.enum(['zh', 'en']).default('zh') }),
  output: z.null(),
  file: 'download',
  errors: ['campaign.not-found'],
})

export const balancingEndpoints = {
  getBalance,
  getBalanceTrend,
  getCampaigns,
  getCampaign,
  addCampaign,
  replanCampaign,
  approveCampaign,
  discardCampaign,
  pauseCampaign,
  resumeCampaign,
  trimCampaign,
  acceptCampaign,
  rollbackCampaign,
  exportCampaign,
} as const
