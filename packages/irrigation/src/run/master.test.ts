import { expect, it } from 'vitest'
import { decideMaster, masterEvents, masterStates, masterTransitions } from './master.ts'

const given = { lagS: 20, isNeeded: false, isHalted: false, now: 100_000 }

it('counts as closed only after a confirmation, whatever comes', () => {
  const ways = masterStates.flatMap((state) =>
    masterEvents.flatMap((event) =>
      state !== 'closed' && masterTransitions[state][event] === 'closed' ? [event] : [],
    ),
  )
  expect(new Set(ways)).toEqual(new Set(['closed']))
})

it('can be closed from every state in which it may be open', () => {
  for (const state of masterStates.filter((one) => one !== 'closed'))
    expect(masterTransitions[state]['close-sent']).toBe('closing')
})

it('opens when it is needed, also again while it closes, and repeats the command before the device closes by itself', () => {
  const needed = { ...given, isNeeded: true }
  expect(decideMaster({ state: 'closed' }, needed)).toBe('open')
  expect(decideMaster({ state: 'closing' }, needed)).toBe('open')
  expect(decideMaster({ state: 'open', sentMs: 50_000 }, needed)).toBeUndefined()
  expect(decideMaster({ state: 'open', sentMs: 50_000 }, { ...needed, now: 950_000 })).toBe('open')
})

it('closes a lag after the last need, and at once when the source is halted', () => {
  expect(decideMaster({ state: 'open', freeMs: 81_000 }, given)).toBeUndefined()
  expect(decideMaster({ state: 'open', freeMs: 80_000 }, given)).toBe('close')
  expect(decideMaster({ state: 'open' }, { ...given, isNeeded: true, isHalted: true })).toBe('close')
  expect(decideMaster({ state: 'closed' }, { ...given, isNeeded: true, isHalted: true })).toBeUndefined()
})
