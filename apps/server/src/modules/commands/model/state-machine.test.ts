import { readFileSync } from 'node:fs'
import { type CommandState, commandState } from '@isotherm/contract/command'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CommandEvent, commandEvents, findNextState, isFinal, transitions } from './state-machine.ts'

const states = commandState.options
const events = fc.array(fc.constantFrom<CommandEvent>(...commandEvents), { maxLength: 30 })

/** The states of a command during these events, starting with queued. */
function run(happened: readonly CommandEvent[]): CommandState[] {
  const passed: CommandState[] = ['queued']
  for (const event of happened) {
    const next = findNextState(passed.at(-1) ?? 'queued', event)
    if (next) passed.push(next)
  }
  return passed
}

const order: readonly CommandState[] = ['queued', 'sent', 'delivered', 'accepted', 'done', 'confirmed']

test('C1: a final state never changes', () => {
  for (const state of states.filter(isFinal)) {
    for (const event of commandEvents) expect(findNextState(state, event)).toBeUndefined()
  }
})

test('C2: progress never goes backwards', () => {
  fc.assert(
    fc.property(events, (happened) => {
      const places = run(happened).flatMap((state) => (order.includes(state) ? [order.indexOf(state)] : []))
      expect(places).toEqual(places.toSorted((left, right) => left - right))
    }),
  )
})

test('C3: a command becomes confirmed only from done, and only by a reading', () => {
  fc.assert(
    fc.property(events, (happened) => {
      const passed = run(happened)
      const at = passed.indexOf('confirmed')
      if (at >= 0) expect(passed[at - 1]).toBe('done')
    }),
  )
  const ways = states.flatMap((state) =>
    commandEvents.filter((event) => transitions[state][event] === 'confirmed'),
  )
  expect(ways).toEqual(['confirmed'])
})

test('C4: a deadline ends every command that is not final', () => {
  for (const state of states.filter((candidate) => !isFinal(candidate))) {
    const ended = findNextState(state, 'deadline')
    expect(ended !== undefined && isFinal(ended)).toBe(true)
  }
})

test('C5: once the device may have received it, a command past its deadline is unknown, not expired', () => {
  expect(findNextState('queued', 'deadline')).toBe('expired')
  for (const state of ['sent', 'delivered', 'accepted', 'done'] as const) {
    expect(findNextState(state, 'deadline')).toBe('unknown')
  }
})

test('C6: a user can cancel only a command that has not been sent', () => {
  const cancellable = states.filter((state) => findNextState(state, 'cancelled') === 'cancelled')
  expect(cancellable).toEqual(['queued'])
})

test('C7: a newer command to the valve supersedes every command that is not final', () => {
  for (const state of states.filter((candidate) => !isFinal(candidate))) {
    expect(findNextState(state, 'replaced')).toBe('superseded')
  }
})

test('C8: a repeated event changes nothing the second time', () => {
  for (const state of states) {
    for (const event of commandEvents) {
      const next = findNextState(state, event)
      if (next) expect(findNextState(next, event)).toBeUndefined()
    }
  }
})

test('C16: retiring a valve ends every command to it that is not final', () => {
  for (const state of states.filter((candidate) => !isFinal(candidate))) {
    expect(findNextState(state, 'withdrawn')).toBe('cancelled')
  }
})

test('the specification contains the same table', () => {
  const spec = readFileSync(new URL('../../../../../../docs/specs/command.md', import.meta.url), 'utf8')
  for (const state of states) {
    const cells = commandEvents.map((event) => transitions[state][event] ?? '·')
    expect(spec).toContain(`| ${state} | ${cells.join(' | ')} |`)
  }
})
