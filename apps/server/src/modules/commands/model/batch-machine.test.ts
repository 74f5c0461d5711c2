import { readFileSync } from 'node:fs'
import { batchState } from '@isotherm/contract/command'
import { expect, test } from 'vitest'
import { batchEvents, batchTransitions, statesOpenTo } from './batch-machine.ts'

const states = batchState.options

test('B1: cancelled and finished never change', () => {
  for (const state of ['cancelled', 'finished'] as const) {
    expect(Object.values(batchTransitions[state])).toEqual(batchEvents.map(() => undefined))
  }
})

test('B2: every open batch can be cancelled', () => {
  expect(statesOpenTo('cancel')).toEqual(statesOpenTo('ended'))
  for (const state of statesOpenTo('cancel')) expect(batchTransitions[state].cancel).toBe('cancelled')
})

test('B3: pause followed by resume leads back to the first state', () => {
  expect(statesOpenTo('pause')).toEqual(['running'])
  expect(batchTransitions[batchTransitions.running.pause ?? 'finished'].resume).toBe('running')
  expect(statesOpenTo('resume')).toEqual(['paused'])
})

test('the specification contains the same table', () => {
  const spec = readFileSync(new URL('../../../../../../docs/specs/command-batch.md', import.meta.url), 'utf8')
  for (const state of states) {
    const cells = batchEvents.map((event) => batchTransitions[state][event] ?? '·')
    expect(spec).toContain(`| ${state} | ${cells.join(' | ')} |`)
  }
})
