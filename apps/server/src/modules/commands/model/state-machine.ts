import { type CommandState, finalCommandStates } from '@isotherm/contract/command'

/** Events of a command; docs/specs/command.md describes them. */
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

/** States after a device's answer, in any state before `done`: an answer proves the delivery. */
const answered = {
  accepted: 'accepted',
  done: 'done',
  refused: 'failed',
  outdated: 'superseded',
  'too-late': 'expired',
} as const

/** No event changes a final state. */
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

/** The complete transition table: the next state for each state and event, undefined if the event changes nothing. */
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
