import { expect, test } from 'vitest'
import { fromDraft, judgeDraft } from './limits-draft.ts'

const limits = { minHeadKpa: 30, maxHeadKpa: 350, maxStepKpa: 80 }
const draft = { ...limits, maxHeadKpa: 200 }

test('untouched fields show the present limits', () => {
  expect(judgeDraft(undefined, { limits, version: 2 })).toEqual({
    draft: limits,
    isChanged: false,
    isOutdated: false,
  })
})

test('typed values stay when another user sets the limits, and do not overwrite them silently', () => {
  const typed = { draft, version: 0 }
  expect(judgeDraft(typed, { limits, version: 0 })).toEqual({ draft, isChanged: true, isOutdated: false })
  const theirs = { limits: { ...limits, maxStepKpa: 20 }, version: 1 }
  expect(judgeDraft(typed, theirs)).toEqual({ draft, isChanged: true, isOutdated: true })
})

test('equal limits of another user are no conflict', () => {
  expect(judgeDraft({ draft, version: 0 }, { limits: draft, version: 1 })).toMatchObject({
    isChanged: false,
    isOutdated: false,
  })
})

test('an empty field, a value out of bounds, or a minimum head that is not below the maximum gives no limits', () => {
  expect(fromDraft(draft)).toEqual(draft)
  expect(fromDraft({ ...draft, maxStepKpa: null })).toBeUndefined()
  expect(fromDraft({ ...draft, maxStepKpa: 0 })).toBeUndefined()
  expect(fromDraft({ ...draft, maxHeadKpa: 1_001 })).toBeUndefined()
  expect(fromDraft({ ...draft, maxHeadKpa: 30 })).toBeUndefined()
})
