import { readFileSync } from 'node:fs'
import { commandPriorities, type HoldEnd } from '@isotherm/contract/command'
import { expect, test } from 'vitest'
import { type HoldState, resolveHold } from './hold-machine.ts'

const holdings: readonly HoldState[] = ['free', ...commandPriorities]

test('H1: an order is refused exactly if a hold of a higher priority is in force', () => {
  for (const [index, holding] of holdings.entries()) {
    for (const priority of commandPriorities) {
      for (const holds of [false, true]) {
        const isRefused = resolveHold(holding, { priority, holds }).kind === 'refused'
        expect(isRefused).toBe(index > holdings.indexOf(priority))
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
  for (const holding of holdings) {
    const cells = [false, true].flatMap((holds) =>
      commandPriorities.map((priority) => {
        const outcome = resolveHold(holding, { priority, holds })
        return outcome.kind === 'refused' ? 'refused' : outcome.next
      }),
    )
    const ends = endsWithoutOrder.map(() => (holding === 'free' ? '·' : 'free'))
    expect(spec).toContain(`| ${holding} | ${[...cells, ...ends].join(' | ')} |`)
  }
})
