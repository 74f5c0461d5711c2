import type { AlarmState } from '@isotherm/contract/alarms/alarms'

/** Events that change the state of an alarm; docs/specs/alarm.md describes them. */
export const alarmTransitionEvents = ['raised', 'cleared', 'acknowledged', 'closed', 'withdrawn'] as const
export type AlarmTransitionEvent = (typeof alarmTransitionEvents)[number]

/** The complete transition table: the next state for each state and event, undefined if the event changes nothing. */
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

/** Transitions of an event: each state that it changes, with the next state. */
export const listTransitions = (
  event: AlarmTransitionEvent,
): readonly (readonly [from: AlarmState, to: AlarmState])[] =>
  (Object.keys(transitions) as AlarmState[]).flatMap((state) => {
    const next = transitions[state][event]
    return next === undefined ? [] : [[state, next] as const]
  })
