/**
 * State machine for an expired session (status 11) as a total table (docs/specs/session.md). One machine serves all
 * calls of a tab.
 */
export const expiredStates = ['standing', 'asking', 'renewing', 'declined'] as const
export type ExpiredState = (typeof expiredStates)[number]

export const expiredEvents = [
  'expired',
  'confirmed',
  'cancelled',
  'asked-again',
  'renewed',
  'unreachable',
  'refused',
  'ended',
] as const
export type ExpiredEvent = (typeof expiredEvents)[number]

/** Fate of the waiting calls: repeated, failed or still waiting. */
export type Waiting = 'resume' | 'fail' | 'wait'

export interface ExpiredStep {
  readonly to: ExpiredState
  readonly waiting: Waiting
}

const step = (to: ExpiredState, waiting: Waiting = 'wait'): ExpiredStep => ({ to, waiting })

export const expiredTable: Readonly<Record<ExpiredState, Readonly<Record<ExpiredEvent, ExpiredStep>>>> = {
  standing: {
    expired: step('asking'),
    confirmed: step('standing'),
    cancelled: step('standing'),
    'asked-again': step('asking'),
    renewed: step('standing'),
    unreachable: step('standing'),
    refused: step('standing'),
    ended: step('standing'),
  },
  asking: {
    expired: step('asking'),
    confirmed: step('renewing'),
    cancelled: step('declined', 'fail'),
    'asked-again': step('asking'),
    renewed: step('standing', 'resume'),
    unreachable: step('asking'),
    refused: step('asking'),
    ended: step('standing', 'fail'),
  },
  renewing: {
    expired: step('renewing'),
    confirmed: step('renewing'),
    cancelled: step('renewing'),
    'asked-again': step('renewing'),
    renewed: step('standing', 'resume'),
    unreachable: step('asking'),
    refused: step('standing', 'fail'),
    ended: step('standing', 'fail'),
  },
  declined: {
    expired: step('declined', 'fail'),
    confirmed: step('declined'),
    cancelled: step('declined'),
    'asked-again': step('asking'),
    renewed: step('standing', 'resume'),
    unreachable: step('declined'),
    refused: step('declined'),
    ended: step('standing', 'fail'),
  },
}
