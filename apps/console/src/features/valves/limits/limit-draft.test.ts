import { expect, test } from 'vitest'
import { compareDraft, fromDraft } from './limit-draft.ts'

const limits = { minOpeningPct: 20, maxStepPct: 15 }
const draft = { minOpeningPct: 30, maxStepPct: 15, minTotalPct: null }

test('untouched fields show the current limits', () => {
  expect(compareDraft(undefined, limits, 4)).toEqual({
    draft: { minOpeningPct: 20, maxStepPct: 15, minTotalPct: null },
    isChanged: false,
    isConflicting: false,
  })
})

test('typed values stay when another user sets the limits, and the conflict is reported', () => {
  const typed = { draft, version: 3 }
  expect(compareDraft(typed, limits, 3)).toEqual({ draft, isChanged: true, isConflicting: false })
  expect(compareDraft(typed, { ...limits, maxStepPct: 5 }, 4)).toEqual({
    draft,
    isChanged: true,
    isConflicting: true,
  })
})

test('there is no conflict when the other user set the typed values', () => {
  const same = { minOpeningPct: 30, maxStepPct: 15 }
  expect(compareDraft({ draft, version: 3 }, same, 4)).toMatchObject({
    isChanged: false,
    isConflicting: false,
  })
})

test('an empty field is left out, zero is a limit', () => {
  const zero = { minOpeningPct: 0, maxStepPct: 30 }
  const { draft: shown } = compareDraft(undefined, zero, 1)
  expect(fromDraft(shown)).toEqual(zero)
  expect(fromDraft({ ...shown, maxStepPct: null })).toEqual({ minOpeningPct: 0 })
})
