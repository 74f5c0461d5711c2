import { type CommandState, finalCommandStates } from '@isotherm/contract/command'

/** What can happen to a command; docs/specs/command.md says what each means. */
export const commandEvents = [
  'published',
  'delivered',
  'accepted',
  'done',
  'refused',
  'outdated',
  'too-late',
  'replaced',
  'cancelled',
  'withdrawn',
  'confirmed',
  'deadline',
] as const
export type CommandEvent = (typeof commandEvents)[number]

/** What a device's answer brings, in whichever state before `done` it comes: an answer proves the delivery. */
const answered = {
  accepted: 'accepted',
  done: 'done',
  refused: 'failed',
  outdated: 'superseded',
  'too-late': 'expired',
} as const

/** A final state takes no event. */
const final = {
  published: undefined,
  delivered: undefined,
  accepted: undefined,
  done: undefined,
  refused: undefined,
  outdated: undefined,
  'too-late': undefined,
  replaced: undefined,
  cancelled: undefined,
  withdrawn: undefined,
  confirmed: undefined,
  deadline: undefined,
} as const

/**
 * The total table: the state an event leads to, undefined where it changes nothing. Every state has a row and
 * every row a cell for each event, or it does not compile.
 */
export const transitions: Readonly<
  Record<CommandState, Readonly<Record<CommandEvent, CommandState | undefined>>>
> = {
  queued: {
    ...answered,
    published: 'sent',
    delivered: 'delivered',
    replaced: 'superseded',
    cancelled: 'cancelled',
    withdrawn: 'cancelled',
    confirmed: undefined,
    deadline: 'expired',
  },
  sent: {
    ...answered,
    published: undefined,
    delivered: 'delivered',
    replaced: 'superseded',
    cancelled: undefined,
    withdrawn: 'cancelled',
    confirmed: undefined,
    deadline: 'unknown',
  },
  delivered: {
    ...answered,
    published: undefined,
    delivered: undefined,
    replaced: 'superseded',
    cancelled: undefined,
    withdrawn: 'cancelled',
    confirmed: undefined,
    deadline: 'unknown',
  },
  accepted: {
    ...answered,
    accepted: undefined,
    published: undefined,
    delivered: undefined,
    replaced: 'superseded',
    cancelled: undefined,
    withdrawn: 'cancelled',
    confirmed: undefined,
    deadline: 'unknown',
  },
  done: {
    ...final,
    replaced: 'superseded',
    withdrawn: 'cancelled',
    confirmed: 'confirmed',
    deadline: 'unknown',
  },
  confirmed: final,
  failed: final,
  expired: final,
  superseded: final,
  cancelled: final,
  unknown: final,
}

/** The state after an event, or undefined when the event changes nothing. */
export const findNextState = (state: CommandState, event: CommandEvent): CommandState | undefined =>
  transitions[state][event]

export const isFinal = (state: CommandState): boolean => finalCommandStates.has(state)
