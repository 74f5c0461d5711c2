import {
  type StrategyAbility,
  type StrategyEvent,
  type StrategyState,
  strategyAbility,
} from '@isotherm/contract/balancing/strategies'

/** State without transitions, unless overridden. */
const nothing = {
  change: undefined,
  start: undefined,
  pause: undefined,
  end: undefined,
  began: undefined,
  done: undefined,
  halt: undefined,
} as const

/** The complete table: the state after each event, undefined where the event is refused. */
export const strategyTransitions: Readonly<
  Record<StrategyState, Readonly<Record<StrategyEvent, StrategyState | undefined>>>
> = {
  draft: { ...nothing, change: 'draft', start: 'running', end: 'ended' },
  running: {
    ...nothing,
    pause: 'paused',
    end: 'ended',
    began: 'running',
    done: 'running',
    halt: 'paused',
  },
  paused: { ...nothing, change: 'paused', start: 'running', end: 'ended' },
  ended: nothing,
}

/** Allowed actions of a person who may control the whole node. */
export const listAbilities = (state: StrategyState): StrategyAbility[] =>
  strategyAbility.options.filter((ability) => strategyTransitions[state][ability] !== undefined)
