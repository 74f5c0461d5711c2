import {
  type CampaignAbility,
  type CampaignEvent,
  type CampaignState,
  campaignAbility,
} from '@isotherm/contract/balancing/campaign'
import { HOUR_MS } from '@isotherm/kernel/durations'

/** State without transitions, unless overridden. */
const nothing = {
  replan: undefined,
  approve: undefined,
  discard: undefined,
  pause: undefined,
  resume: undefined,
  'wave-given': undefined,
  'wave-ended': undefined,
  'take-back': undefined,
  settle: undefined,
  verified: undefined,
  abort: undefined,
  trim: undefined,
  accept: undefined,
  rollback: undefined,
  returned: undefined,
} as const

/** The complete table: the state after each event, undefined where the event is refused. */
export const campaignTransitions: Readonly<
  Record<CampaignState, Readonly<Record<CampaignEvent, CampaignState | undefined>>>
> = {
  draft: { ...nothing, replan: 'draft', approve: 'executing', discard: 'discarded' },
  executing: {
    ...nothing,
    pause: 'paused',
    'wave-given': 'executing',
    'wave-ended': 'executing',
    'take-back': 'executing',
    settle: 'settling',
    abort: 'aborted',
    rollback: 'rolling-back',
  },
  paused: { ...nothing, resume: 'executing', rollback: 'rolling-back' },
  settling: {
    ...nothing,
    'take-back': 'executing',
    verified: 'verified',
    abort: 'aborted',
    rollback: 'rolling-back',
  },
  verified: { ...nothing, trim: 'executing', accept: 'accepted', rollback: 'rolling-back' },
  aborted: { ...nothing, accept: 'accepted', rollback: 'rolling-back' },
  'rolling-back': {
    ...nothing,
    'wave-given': 'rolling-back',
    'wave-ended': 'rolling-back',
    abort: 'aborted',
    returned: 'rolled-back',
  },
  accepted: nothing,
  'rolled-back': nothing,
  discarded: nothing,
}

/** States that are not final. */
export const openStates: readonly CampaignState[] = (
  Object.keys(campaignTransitions) as CampaignState[]
).filter((state) => Object.values(campaignTransitions[state]).some((next) => next !== undefined))

/** Maximum age of a draft at its approval, ms: valves may have moved since. */
export const LONGEST_DRAFT_MS = HOUR_MS

/** Events that need the newest plan. */
export const needsPlan = (event: CampaignEvent): boolean => event === 'approve' || event === 'trim'

/** Allowed actions of a person who may control the whole node, on a campaign at an instant, Unix ms. */
export const listAbilities = (
  {
    state,
    plannedAt,
    isReadable,
    trimFrom = 0,
  }: {
    readonly state: CampaignState
    readonly plannedAt: number
    readonly isReadable: boolean
    /** When its room temperatures have settled, Unix ms; only for targets of room temperatures. */
    readonly trimFrom?: number | undefined
  },
  now: number,
): CampaignAbility[] =>
  campaignAbility.options.filter(
    (ability) =>
      campaignTransitions[state][ability] !== undefined &&
      (isReadable || !needsPlan(ability)) &&
      (ability !== 'approve' || now - plannedAt <= LONGEST_DRAFT_MS) &&
      (ability !== 'trim' || now >= trimFrom),
  )
