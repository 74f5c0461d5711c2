import { readFileSync } from 'node:fs'
import { type TransferState, transferState } from '@isotherm/contract/transfer'
import { expect, test } from 'vitest'
import { transferEvents, transitions } from './state-machine.ts'

const states = transferState.options
const final: readonly TransferState[] = ['done', 'failed', 'cancelled']
const every = states.flatMap((state) => transferEvents.map((event) => ({ state, event })))

test('the table of docs/specs/transfer.md equals the state machine', () => {
  const spec = readFileSync(new URL('../../../../../../docs/specs/transfer.md', import.meta.url), 'utf8')
  const lines = spec.split('\n').filter((line) => line.startsWith('| '))
  const head = `| state | ${transferEvents.join(' | ')} |`
  expect(lines).toContain(head)
  for (const state of states) {
    const cells = transferEvents.map((event) => transitions[state][event] ?? '·')
    expect(lines).toContain(`| ${state} | ${cells.join(' | ')} |`)
  }
})

test('T1 A final state never changes', () => {
  for (const state of final) {
    for (const event of transferEvents) expect(transitions[state][event]).toBeUndefined()
  }
})

test('T2 Only rows checked in the same run are imported', () => {
  const ways = every.filter(({ state, event }) => transitions[state][event] === 'importing')
  expect(ways).toEqual([{ state: 'checking', event: 'cleared' }])
})

test('T3 Every state that is not final can be cancelled', () => {
  for (const state of states) {
    expect(transitions[state].cancel).toBe(final.includes(state) ? undefined : 'cancelled')
  }
})

test('T4 A repeated event changes nothing the second time', () => {
  for (const { state, event } of every) {
    const next = transitions[state][event]
    if (next !== undefined) expect(transitions[next][event]).toBeUndefined()
  }
})
