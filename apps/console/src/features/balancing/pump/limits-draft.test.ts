import { expect, test } from 'vitest'
import { fromDraft, judgeDraft } from './limits-draft.ts'

const limits = { minHeadKpa: 30, maxHeadKpa: 350, maxStepKpa: 80 }
const draft = { ...limits, maxHeadKpa: 200 }

test('untouched fields show the limits as they are, whoever set them', () => {
  expect(judgeDraft(undefined, { limits, version: 2 })).toEqual({
    draft: limits,
    isChanged: false,
    isOvertaken: false,
  })
})

test('what is typed stays when somebody else sets the limits, and is not saved over theirs unseen', () => {
  const typed = { draft, version: 0 }
  expect(judgeDraft(typed, { limits, version: 0 })).toEqual({ draft, isChanged: true, isOvertaken: false })
  const theirs = { limits: { ...limits, maxStepKpa: 20 }, version: 1 }
  expect(judgeDraft(typed, theirs)).toEqual({ draft, isChanged: true, isOvertaken: true })
})

test('nothing is overtaken where somebody else set just what was typed', () => {
  expect(judgeDraft({ draft, version: 0 }, { limits: draft, version: 1 })).toMatchObject({
    isChanged: false,
    isOvertaken: false,
  })
})

test('no limits are made of an empty field, of one out of bounds, or of a least head that is not below the most', () => {
  expect(fromDraft(draft)).toEqual(draft)
  expect(fromDraft({ ...draft, maxStepKpa: null })).toBeUndefined()
  expect(fromDraft({ ...draft, maxStepKpa: 0 })).toBeUndefined()
  expect(fromDraft({ ...draft, maxHeadKpa: 1_001 })).toBeUndefined()
  expect(fromDraft({ ...draft, maxHeadKpa: 30 })).toBeUndefined()
})
