/**
 * State machine of the guard as one total table (docs/specs/guard.md). create-guard.ts sends the events and performs
 * the actions.
 */
export const guardStates = ['signed-out', 'access-unknown', 'loading-access', 'ready', 'retry'] as const
export type GuardState = (typeof guardStates)[number]

export const guardEvents = [
  'to-login',
  'to-frame',
  'to-page',
  'to-left-page',
  'access-loaded',
  'access-refused',
  'access-unreachable',
  'signed-in',
  'signed-out',
] as const
export type GuardEvent = (typeof guardEvents)[number]

/** Action of the guard at a transition. */
export type GuardAction =
  | 'none'
  | 'pass'
  | 'go-start'
  | 'go-login'
  | 'load-access'
  | 'end-session'
  | 'offer-retry'
  | 'forget-access'

export interface GuardStep {
  readonly to: GuardState
  readonly action: GuardAction
}

const step = (to: GuardState, action: GuardAction = 'none'): GuardStep => ({ to, action })

export const guardTable: Readonly<Record<GuardState, Readonly<Record<GuardEvent, GuardStep>>>> = {
  'signed-out': {
    'to-login': step('signed-out', 'pass'),
    'to-frame': step('signed-out', 'pass'),
    'to-page': step('signed-out', 'go-login'),
    'to-left-page': step('signed-out', 'go-login'),
    'access-loaded': step('signed-out'),
    'access-refused': step('signed-out'),
    'access-unreachable': step('signed-out'),
    'signed-in': step('access-unknown'),
    'signed-out': step('signed-out'),
  },
  'access-unknown': {
    'to-login': step('access-unknown', 'go-start'),
    'to-frame': step('access-unknown', 'pass'),
    'to-page': step('loading-access', 'load-access'),
    'to-left-page': step('access-unknown', 'go-start'),
    'access-loaded': step('access-unknown'),
    'access-refused': step('access-unknown'),
    'access-unreachable': step('access-unknown'),
    'signed-in': step('access-unknown'),
    'signed-out': step('signed-out', 'forget-access'),
  },
  'loading-access': {
    'to-login': step('loading-access', 'go-start'),
    'to-frame': step('loading-access', 'pass'),
    'to-page': step('loading-access', 'load-access'),
    'to-left-page': step('loading-access', 'go-start'),
    'access-loaded': step('ready', 'pass'),
    'access-refused': step('signed-out', 'end-session'),
    'access-unreachable': step('retry', 'offer-retry'),
    'signed-in': step('access-unknown', 'forget-access'),
    'signed-out': step('signed-out', 'forget-access'),
  },
  ready: {
    'to-login': step('ready', 'go-start'),
    'to-frame': step('ready', 'pass'),
    'to-page': step('ready', 'pass'),
    'to-left-page': step('ready', 'pass'),
    'access-loaded': step('ready'),
    'access-refused': step('ready'),
    'access-unreachable': step('ready'),
    'signed-in': step('access-unknown', 'forget-access'),
    'signed-out': step('signed-out', 'forget-access'),
  },
  retry: {
    'to-login': step('retry', 'go-start'),
    'to-frame': step('retry', 'pass'),
    'to-page': step('loading-access', 'load-access'),
    'to-left-page': step('retry', 'go-start'),
    'access-loaded': step('retry'),
    'access-refused': step('retry'),
    'access-unreachable': step('retry'),
    'signed-in': step('access-unknown', 'forget-access'),
    'signed-out': step('signed-out', 'forget-access'),
  },
}
