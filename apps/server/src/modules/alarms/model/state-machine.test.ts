import { readFileSync } from 'node:fs'
import { type AlarmState, alarmState } from '@isotherm/contract/alarms/alarms'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type AlarmTransitionEvent,
  alarmTransitionEvents,
  listTransitions,
  transitions,
} from './state-machine.ts'

const states = alarmState.options
const spec = readFileSync(new URL('../../../../../../docs/specs/alarm.md', import.meta.url), 'utf8')

test('the specification contains the same table', () => {
  for (const state of states) {
    const cells = alarmTransitionEvents.map((event) => transitions[state][event] ?? '·')
    expect(spec).toContain(`| ${state} | ${cells.join(' | ')} |`)
  }
})

test('A1: ended never changes', () => {
  expect(Object.values(transitions.ended).filter((next) => next !== undefined)).toEqual([])
})

test('A2: an alarm ends only if it was acknowledged, closed, or its device is retired', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom<AlarmTransitionEvent>(...alarmTransitionEvents), { maxLength: 30 }),
      (happened) => {
        let state: AlarmState = 'active'
        // The naive model: three facts instead of four states.
        const facts = { isActive: true, isKnown: false, isOver: false }
        for (const event of happened) {
          if (!facts.isOver) {
            if (event === 'raised' && !facts.isActive) facts.isActive = true
            if (event === 'cleared') facts.isActive = false
            if (event === 'acknowledged') facts.isKnown = true
            facts.isOver = event === 'closed' || event === 'withdrawn' || (!facts.isActive && facts.isKnown)
          }
          state = transitions[state][event] ?? state
          const expected: AlarmState = facts.isOver
            ? 'ended'
            : !facts.isActive
              ? 'cleared'
              : facts.isKnown
                ? 'active-acknowledged'
                : 'active'
          expect(state).toBe(expected)
        }
      },
    ),
  )
})

test('A3: a repeated event changes nothing the second time', () => {
  for (const event of alarmTransitionEvents) {
    for (const [, to] of listTransitions(event)) expect(transitions[to][event]).toBeUndefined()
  }
})

test('the transitions of an event are the states that it changes', () => {
  expect(listTransitions('raised')).toEqual([['cleared', 'active']])
  expect(listTransitions('acknowledged')).toEqual([
    ['active', 'active-acknowledged'],
    ['cleared', 'ended'],
  ])
})
