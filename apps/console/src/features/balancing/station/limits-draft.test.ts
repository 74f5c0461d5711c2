import { expect, test } from 'vitest'
import { pumpFields } from '../pump/pump-fields.ts'
import { supplyFields } from '../supply/supply-fields.ts'
import { fromDraft, judgeDraft } from './limits-draft.ts'

const limits = { minHeadKpa: 30, maxHeadKpa: 350, maxStepKpa: 80 }
const draft = { ...limits, maxHeadKpa: 200 }

test('untouched fields show the present limits', () => {
  expect(judgeDraft(pumpFields, undefined, { limits, version: 2 })).toEqual({
    draft: limits,
    isChanged: false,
    isOutdated: false,
  })
})

test('typed values stay when another user sets the limits, and do not overwrite them silently', () => {
  const typed = { draft, version: 0 }
  expect(judgeDraft(pumpFields, typed, { limits, version: 0 })).toEqual({
    draft,
    isChanged: true,
    isOutdated: false,
  })
  const theirs = { limits: { ...limits, maxStepKpa: 20 }, version: 1 }
  expect(judgeDraft(pumpFields, typed, theirs)).toEqual({ draft, isChanged: true, isOutdated: true })
})

test('equal limits of another user are no conflict', () => {
  expect(judgeDraft(pumpFields, { draft, version: 0 }, { limits: draft, version: 1 })).toMatchObject({
    isChanged: false,
    isOutdated: false,
  })
})

test('an empty field, a value out of bounds, or a minimum head that is not below the maximum gives no limits', () => {
  expect(fromDraft(pumpFields, draft)).toEqual(draft)
  expect(fromDraft(pumpFields, { ...draft, maxStepKpa: null })).toBeUndefined()
  expect(fromDraft(pumpFields, { ...draft, maxStepKpa: 0 })).toBeUndefined()
  expect(fromDraft(pumpFields, { ...draft, maxHeadKpa: 1_001 })).toBeUndefined()
  expect(fromDraft(pumpFields, { ...draft, maxHeadKpa: 30 })).toBeUndefined()
})

test('an offset and its limits may be negative and have fractions', () => {
  const offsets = { minOffsetK: -6.5, maxOffsetK: 0, maxStepK: 1.5 }
  expect(fromDraft(supplyFields, offsets)).toEqual(offsets)
  expect(fromDraft(supplyFields, { ...offsets, minOffsetK: -30.5 })).toBeUndefined()
  expect(fromDraft(supplyFields, { ...offsets, maxOffsetK: -6.5 })).toBeUndefined()
})
