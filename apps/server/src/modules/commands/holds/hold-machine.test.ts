import { readFileSync } from 'node:fs'
import { commandPriorities, type HoldEnd } from '@isotherm/contract/command'
import { expect, test } from 'vitest'
import { type HoldState, resolveHold } from './hold-machine.ts'

const standings: readonly HoldState[] = ['free', ...commandPriorities]

test('H1: an order is refused exactly if a hold of a higher priority is in force', () => {
  for (const [index, standing] of standings.entries()) {
    for (const priority of commandPriorities) {
      for (const holds of [false, true]) {
        const isRefused = resolveHold(standing, { priority, holds }).kind === 'refused'
        expect(isRefused).toBe(index > standings.indexOf(priority))
      }
    }
  }
})

/** Ends of a hold without an order; each leaves the valve free. */
const endsWithoutOrder = ['released', 'expired', 'withdrawn'] as const satisfies readonly HoldEnd[]

test('an order outranks a hold of a lower priority, replaces one of its own, and without a hold ends none', () => {
  const order = { priority: 'manual', holds: true } as const
  const accepted = { kind: 'accepted', next: 'manual' }
  expect(resolveHold('balancing', order)).toEqual({ ...accepted, ends: 'outranked' })
  expect(resolveHold('manual', order)).toEqual({ ...accepted, ends: 'replaced' })
  expect(resolveHold('free', order)).toEqual({ ...accepted, ends: undefined })
  expect(resolveHold('manual', { priority: 'manual', holds: false })).toEqual({
    kind: 'accepted',
    next: 'free',
    ends: 'replaced',
  })
})

test('the specification contains the same table', () => {
  const spec = readFileSync(new URL('../../../../../../docs/specs/hold.md', import.meta.url), 'utf8')
  for (const standing of standings) {
    const cells = [false, true].flatMap((holds) =>
      commandPriorities.map((priority) => {
        const outcome = resolveHold(standing, { priority, holds })
        return outcome.kind === 'refused' ? 'refused' : outcome.next
      }),
    )
    const ends = endsWithoutOrder.map(() => (standing === 'free' ? '·' : 'free'))
    expect(spec).toContain(`| ${standing} | ${[...cells, ...ends].join(' | ')} |`)
  }
})
