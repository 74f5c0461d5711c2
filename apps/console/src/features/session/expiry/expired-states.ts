/**
 * State machine for an expired session (status 11) as a total table (docs/specs/session.md). One machine serves all
 * calls of a tab.
 */
export const expiredStates = ['valid', 'prompting', 'renewing', 'declined'] as const
export type ExpiredState = (typeof expiredStates)[number]

export const expiredEvents = [
  'expired',
  'confirmed',
  'cancelled',
  'reopened',
  'renewed',
  'unreachable',
  'refused',
  'ended',
] as const
export type ExpiredEvent = (typeof expiredEvents)[number]

/** What happens to the waiting calls: they are repeated, fail, or continue to wait. */
export type Waiting = 'resume' | 'fail' | 'wait'

export interface ExpiredStep {
  readonly to: ExpiredState
  readonly waiting: Waiting
}

const step = (to: ExpiredState, waiting: Waiting = 'wait'): ExpiredStep => ({ to, waiting })

export const expiredTable: Readonly<Record<ExpiredState, Readonly<Record<ExpiredEvent, ExpiredStep>>>> = {
  valid: {
    expired: step('prompting'),
    confirmed: step('valid'),
    cancelled: step('valid'),
    reopened: step('prompting'),
    renewed: step('valid'),
    unreachable: step('valid'),
    refused: step('valid'),
    ended: step('valid'),
  },
  prompting: {
    expired: step('prompting'),
    confirmed: step('renewing'),
    cancelled: step('declined', 'fail'),
    reopened: step('prompting'),
    renewed: step('valid', 'resume'),
    unreachable: step('prompting'),
    refused: step('prompting'),
    ended: step('valid', 'fail'),
  },
  renewing: {
    expired: step('renewing'),
    confirmed: step('renewing'),
    cancelled: step('renewing'),
    reopened: step('renewing'),
    renewed: step('valid', 'resume'),
    unreachable: step('prompting'),
    refused: step('valid', 'fail'),
    ended: step('valid', 'fail'),
  },
  declined: {
    expired: step('declined', 'fail'),
    confirmed: step('declined'),
    cancelled: step('declined'),
    reopened: step('prompting'),
    renewed: step('valid', 'resume'),
    unreachable: step('declined'),
    refused: step('declined'),
    ended: step('valid', 'fail'),
  },
}
