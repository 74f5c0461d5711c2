import { expect, test } from 'vitest'
import { toOutcome } from './outcome.ts'

const indices = {
  before: { sigmaReturnK: 1.8 },
  expected: { sigmaReturnK: 0.1 },
  after: { sigmaReturnK: 0.4 },
}

test('the measured value counts, and the predicted one until then', () => {
  expect(toOutcome({ state: 'verified', indices }, 'sigmaReturnK')).toEqual({
    kind: 'after',
    before: 1.8,
    reached: 0.4,
    isBetter: true,
  })
  const { after: _, ...planned } = indices
  expect(toOutcome({ state: 'draft', indices: planned }, 'sigmaReturnK')).toMatchObject({
    kind: 'expected',
    reached: 0.1,
    isBetter: undefined,
  })
})

test('a spread is compared in the weather before: one that only shrank with the weather is no improvement', () => {
  const mild = {
    before: { sigmaReturnK: 1.8, sigmaReturnPerDrop: 0.15 },
    expected: {},
    after: { sigmaReturnK: 0.9, sigmaReturnPerDrop: 0.15 },
  }
  const outcome = toOutcome({ state: 'verified', indices: mild }, 'sigmaReturnK')
  expect(outcome).toMatchObject({ kind: 'corrected', before: 1.8, isBetter: undefined })
  expect(outcome.reached).toBeCloseTo(1.8, 12)
})

test('a campaign that was rolled back counts as no improvement', () => {
  for (const state of ['rolling-back', 'rolled-back'] as const)
    expect(toOutcome({ state, indices }, 'sigmaReturnK')).toMatchObject({
      kind: 'rolledBack',
      reached: 0.4,
      isBetter: undefined,
    })
})
