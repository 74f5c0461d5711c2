import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  advance,
  findOutcome,
  judge,
  type Limits,
  phases,
  QUIET,
  steps,
  type Verdict,
  verdicts,
} from './watch-phase.ts'

const spec = readFileSync(new URL('../../../../../../docs/specs/alarm.md', import.meta.url), 'utf8')

test('the specification contains the same table', () => {
  for (const phase of phases) {
    const cells = verdicts.map((verdict) => {
      const { early, due } = steps[phase][verdict]
      return early === due ? due : `${early} / ${due}`
    })
    expect(spec).toContain(`| ${phase} | ${cells.join(' | ')} |`)
  }
})

test('a measure is evaluated with hysteresis, above and below', () => {
  const cold = { raiseAt: 18, clearAt: 18.5 }
  expect([17.9, 18, 18.4, 18.5, 20].map((value) => judge(value, cold, 'below'))).toEqual([
    'bad',
    'between',
    'between',
    'good',
    'good',
  ])
  const hot = { raiseAt: 90, clearAt: 85 }
  expect([90.1, 90, 85.1, 85].map((value) => judge(value, hot, 'above'))).toEqual([
    'bad',
    'between',
    'between',
    'good',
  ])
  expect([0, 1].map((value) => judge(value, { raiseAt: null, clearAt: null }, 'above'))).toEqual([
    'good',
    'bad',
  ])
})

test('a watch that a verdict does not change stays the same object', () => {
  const limits = { raiseAt: null, clearAt: null, raiseAfterS: 60, clearAfterS: 60 }
  const [raising, raised] = [
    { phase: 'raising', since: 1_000 },
    { phase: 'raised', since: 1_000 },
  ] as const
  expect(advance(QUIET, 'good', 2_000, limits)).toBe(QUIET)
  expect(advance(raised, 'between', 2_000, limits)).toBe(raised)
  expect(advance(raising, 'bad', 2_000, limits)).toBe(raising)
})

test('without a rule there is no delay', () => {
  expect(advance(QUIET, 'bad', 2_000, undefined)).toEqual({ phase: 'raised', since: 2_000 })
  expect(advance({ phase: 'raised', since: 0 }, 'good', 2_000, undefined).phase).toBe('quiet')
})

interface Seen {
  readonly verdict: Verdict
  readonly at: number
}

/** Naive model: evaluates the whole history each time. */
function model(seen: readonly Seen[], { raiseAfterS, clearAfterS }: Limits): readonly string[] {
  const outcomes: string[] = []
  let isOn = false
  for (let index = 0; index < seen.length; index += 1) {
    const { verdict, at } = seen[index] ?? { verdict: 'void', at: 0 }
    if (verdict === 'void') {
      if (isOn) outcomes.push(`cleared ${at}`)
      isOn = false
      continue
    }
    const wanted = isOn ? 'good' : 'bad'
    if (verdict !== wanted) continue
    // The run of equal verdicts since the last change of the state.
    let first = index
    while (first > 0 && seen[first - 1]?.verdict === wanted) first -= 1
    const since = seen[first]?.at ?? at
    if (at - since >= (isOn ? clearAfterS : raiseAfterS) * 1000) {
      outcomes.push(`${isOn ? 'cleared' : 'raised'} ${at}`)
      isOn = !isOn
    }
  }
  return outcomes
}

test('A4: a watch raises and clears alternately, and never before its delays', () => {
  const seen = fc
    .array(fc.tuple(fc.constantFrom<Verdict>(...verdicts), fc.integer({ min: 1, max: 900 })), {
      maxLength: 60,
    })
    .map((steps) => {
      let at = 0
      return steps.map(([verdict, s]): Seen => {
        at += s * 1000
        return { verdict, at }
      })
    })
  const limits = fc.record({
    raiseAt: fc.constant(null),
    clearAt: fc.constant(null),
    raiseAfterS: fc.constantFrom(0, 300, 1_800),
    clearAfterS: fc.constantFrom(0, 300, 1_800),
  })
  fc.assert(
    fc.property(seen, limits, (happened, given) => {
      let progress = QUIET
      const outcomes: string[] = []
      for (const { verdict, at } of happened) {
        const next = advance(progress, verdict, at, given)
        const outcome = findOutcome(progress.phase, next.phase)
        if (outcome) outcomes.push(`${outcome} ${at}`)
        progress = next
      }
      expect(outcomes).toEqual(model(happened, given))
    }),
    { numRuns: 500 },
  )
})
