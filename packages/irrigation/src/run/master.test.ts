import { expect, it } from 'vitest'
import type { ActiveRun } from './decide.ts'
import {
  decideMaster,
  findMasterNeed,
  isMasterReady,
  masterEvents,
  masterStates,
  masterTransitions,
} from './master.ts'

const given = { lagS: 20, need: 'none' as const, isHalted: false, now: 100_000 }

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
  const needed = { ...given, need: 'open' as const }
  expect(decideMaster({ state: 'closed' }, needed)).toBe('open')
  expect(decideMaster({ state: 'closing' }, needed)).toBe('open')
  expect(decideMaster({ state: 'open', sentMs: 50_000 }, needed)).toBeUndefined()
  expect(decideMaster({ state: 'open', sentMs: 50_000 }, { ...needed, now: 950_000 })).toBe('open')
  // The clock was set back.
  expect(decideMaster({ state: 'open', sentMs: 3_600_000 }, needed)).toBe('open')
  expect(isMasterReady({ state: 'open', openedMs: 3_600_000 }, 20, 100_000)).toBe(true)
  expect(isMasterReady({ state: 'open', openedMs: 90_000 }, 20, 100_000)).toBe(false)
  expect(isMasterReady({ state: 'opening', openedMs: 0 }, 20, 100_000)).toBe(false)
})

it('closes a lag after the last need, and at once when the source is halted', () => {
  expect(decideMaster({ state: 'open', freeMs: 81_000 }, given)).toBeUndefined()
  expect(decideMaster({ state: 'open', freeMs: 80_000 }, given)).toBe('close')
  expect(decideMaster({ state: 'open', freeMs: 3_600_000 }, given)).toBe('close')
  expect(decideMaster({ state: 'open' }, { ...given, need: 'open' as const, isHalted: true })).toBe('close')
  expect(
    decideMaster({ state: 'closed' }, { ...given, need: 'open' as const, isHalted: true }),
  ).toBeUndefined()
})

it('is not opened anew for valves that close, and stays open until they have closed', () => {
  const closing = { ...given, need: 'keep' as const, now: 950_000 }
  expect(decideMaster({ state: 'closed' }, closing)).toBeUndefined()
  expect(decideMaster({ state: 'closing' }, closing)).toBeUndefined()
  expect(decideMaster({ state: 'open', sentMs: 940_000 }, closing)).toBeUndefined()
  expect(decideMaster({ state: 'open', sentMs: 0 }, closing)).toBe('open')
})

it('opens for what is watered, stays open for what closes, and closes against a valve that is stuck open', () => {
  const runOf = (state: ActiveRun['state'], ...steps: readonly ActiveRun['steps'][number]['state'][]) =>
    ({ state, steps: steps.map((step) => ({ state: step })) }) as unknown as ActiveRun
  expect(findMasterNeed([runOf('running', 'closed', 'open')], 0, 0)).toBe('open')
  expect(findMasterNeed([runOf('running', 'opening')], 0, 0)).toBe('open')
  expect(findMasterNeed([runOf('stopped', 'closing', 'skipped')], 0, 0)).toBe('keep')
  expect(findMasterNeed([runOf('failed', 'stuck', 'skipped')], 0, 0)).toBe('none')
  expect(findMasterNeed([runOf('failed', 'stuck'), runOf('running', 'open')], 0, 0)).toBe('open')
  expect(findMasterNeed([], 0, 0)).toBe('none')
})
