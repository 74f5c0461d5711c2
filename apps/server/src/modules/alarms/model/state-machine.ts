import type { AlarmState } from '@isotherm/contract/alarms/alarms'

/** What can happen to an alarm's state; docs/specs/alarm.md says what each means. */
export const alarmTransitionEvents = ['raised', 'cleared', 'acknowledged', 'closed', 'withdrawn'] as const
export type AlarmTransitionEvent = (typeof alarmTransitionEvents)[number]

/**
 * The total table: the state an event leads to, undefined where it changes nothing. Every state has a row and
 * every row a cell for each event, or it does not compile.
 */
export const transitions: Readonly<
  Record<AlarmState, Readonly<Record<AlarmTransitionEvent, AlarmState | undefined>>>
> = {
  active: {
    raised: undefined,
    cleared: 'cleared',
    acknowledged: 'active-acknowledged',
    closed: 'ended',
    withdrawn: 'ended',
  },
  'active-acknowledged': {
    raised: undefined,
    cleared: 'ended',
    acknowledged: undefined,
    closed: 'ended',
    withdrawn: 'ended',
  },
  cleared: {
    raised: 'active',
    cleared: undefined,
    acknowledged: 'ended',
    closed: 'ended',
    withdrawn: 'ended',
  },
  ended: {
    raised: undefined,
    cleared: undefined,
    acknowledged: undefined,
    closed: undefined,
    withdrawn: undefined,
  },
}

/** The states an event changes, each with the one it leads to. */
export const listTransitions = (
  event: AlarmTransitionEvent,
): readonly (readonly [from: AlarmState, to: AlarmState])[] =>
  (Object.keys(transitions) as AlarmState[]).flatMap((state) => {
    const next = transitions[state][event]
    return next === undefined ? [] : [[state, next] as const]
  })
