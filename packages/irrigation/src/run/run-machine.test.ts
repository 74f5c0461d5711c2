import { expect, it } from 'vitest'
import {
  isRunOver,
  mayFlow,
  runStates,
  runTransitions,
  stepEvents,
  stepStates,
  stepTransitions,
} from './run-machine.ts'

it('leaves a state in which water may flow only by a confirmed close, or as stuck', () => {
  for (const state of stepStates.filter(mayFlow)) {
    for (const event of stepEvents) {
      const next = stepTransitions[state][event]
      if (next === undefined || mayFlow(next)) continue
      expect([state, event]).toEqual([state, event === 'again' ? 'again' : 'closed'])
    }
  }
})

it('opens only from pending', () => {
  const opening = stepStates.filter((state) => stepTransitions[state]['open-sent'] === 'opening')
  expect(opening).toEqual(['pending'])
})

it('can stop every run that is not over, and changes none that is', () => {
  for (const state of runStates) {
    const next = Object.values(runTransitions[state])
    if (isRunOver(state)) expect(next.every((one) => one === undefined)).toBe(true)
    else if (state !== 'stopping') expect(runTransitions[state].stop).toBe('stopping')
  }
})
