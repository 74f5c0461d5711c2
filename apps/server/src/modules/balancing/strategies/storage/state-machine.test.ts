import { readFileSync } from 'node:fs'
import {
  strategyAbility,
  strategyEvent,
  strategyOutcome,
  strategyState,
} from '@isotherm/contract/balancing/strategies'
import { expect, test } from 'vitest'
import { listAbilities, strategyTransitions } from './state-machine.ts'

const states = strategyState.options
const spec = readFileSync(new URL('../../../../../../../docs/specs/strategy.md', import.meta.url), 'utf8')
const lines = spec.split('\n').filter((line) => line.startsWith('| '))

test('the table of docs/specs/strategy.md is the machine', () => {
  expect(lines).toContain(`| state | ${strategyEvent.options.join(' | ')} |`)
  for (const state of states) {
    const cells = strategyEvent.options.map((event) => strategyTransitions[state][event] ?? '·')
    expect(lines).toContain(`| ${state} | ${cells.join(' | ')} |`)
  }
})

test('docs/specs/strategy.md explains each state and each outcome', () => {
  const said = lines.map((line) => line.split('|')[1]?.trim())
  expect(said).toEqual(expect.arrayContaining([...states]))
  expect(said).toEqual(expect.arrayContaining([...strategyOutcome.shape.kind.options]))
})

test('T1 Ended is never left, and no other state is final', () => {
  const final = states.filter((state) => Object.values(strategyTransitions[state]).every((next) => !next))
  expect(final).toEqual(['ended'])
})

test('T2 Campaigns are begun only while it runs, and only a person lets it run', () => {
  expect(states.filter((state) => strategyTransitions[state].began)).toEqual(['running'])
  const leading = strategyEvent.options.filter((event) =>
    states.some((state) => state !== 'running' && strategyTransitions[state][event] === 'running'),
  )
  expect(leading).toEqual(['start'])
})

test('a person may do what has a transition', () => {
  for (const state of states)
    expect(listAbilities(state)).toEqual(
      strategyAbility.options.filter((ability) => strategyTransitions[state][ability]),
    )
})
