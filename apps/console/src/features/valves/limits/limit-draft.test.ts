import { expect, test } from 'vitest'
import { fromDraft, judgeDraft } from './limit-draft.ts'

const limits = { minOpeningPct: 20, maxStepPct: 15 }
const draft = { minOpeningPct: 30, maxStepPct: 15, minTotalPct: null }

test('untouched fields show the limits as they are, whoever set them', () => {
  expect(judgeDraft(undefined, limits, 4)).toEqual({
    draft: { minOpeningPct: 20, maxStepPct: 15, minTotalPct: null },
    isChanged: false,
    isOvertaken: false,
  })
})

test('what is typed stays when somebody else sets the limits, and is not saved over theirs unseen', () => {
  const typed = { draft, version: 3 }
  expect(judgeDraft(typed, limits, 3)).toEqual({ draft, isChanged: true, isOvertaken: false })
  expect(judgeDraft(typed, { ...limits, maxStepPct: 5 }, 4)).toEqual({
    draft,
    isChanged: true,
    isOvertaken: true,
  })
})

test('nothing is overtaken where somebody else set just what was typed', () => {
  const same = { minOpeningPct: 30, maxStepPct: 15 }
  expect(judgeDraft({ draft, version: 3 }, same, 4)).toMatchObject({ isChanged: false, isOvertaken: false })
})

test('a field that is emptied is left out, nought is a limit', () => {
  const zero = { minOpeningPct: 0, maxStepPct: 30 }
  const { draft: shown } = judgeDraft(undefined, zero, 1)
  expect(fromDraft(shown)).toEqual(zero)
  expect(fromDraft({ ...shown, maxStepPct: null })).toEqual({ minOpeningPct: 0 })
})
