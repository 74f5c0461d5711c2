import { expect, test } from 'vitest'
import { dropSaved, type NotesDraft, toDeeds, toShownNotes, typeNotes } from './notes-draft.ts'

const alarm = { comment: 'seen', assignee: 'li' }
const untouched: NotesDraft = {}

test('a field that was not touched follows the server, one that was keeps what was typed', () => {
  const draft = typeNotes(untouched, { comment: 'pump is off' }, alarm)
  const changed = { comment: 'by a colleague', assignee: 'wang' }
  expect(toShownNotes(draft, changed)).toEqual({ comment: 'pump is off', assignee: 'wang' })
  expect(toShownNotes(untouched, changed)).toEqual(changed)
})

test('only what differs from the server is saved, without the space around it', () => {
  expect(toDeeds(untouched, alarm)).toEqual({})
  expect(toDeeds({ comment: ' seen ', assignee: ' li' }, alarm)).toEqual({})
  expect(toDeeds({ comment: ' pump is off ' }, alarm)).toEqual({ comment: 'pump is off' })
  expect(toDeeds({ comment: '' }, alarm)).toEqual({ comment: '' })
})

test('an assignee that is emptied is taken away, and nobody stays nobody', () => {
  expect(toDeeds({ assignee: ' ' }, alarm)).toEqual({ assignee: null })
  expect(toDeeds({ assignee: 'wang' }, { comment: '' })).toEqual({ assignee: 'wang' })
  expect(toDeeds({ assignee: ' ' }, { comment: '' })).toEqual({})
})

test('a field typed back to what the server says counts as untouched', () => {
  const draft = typeNotes({ comment: 'pump', assignee: 'wang' }, { comment: 'seen' }, alarm)
  expect(draft).toEqual({ assignee: 'wang' })
  expect(typeNotes(draft, { assignee: 'li' }, alarm)).toEqual({})
})

test('once a draft is saved, what was typed since stays to be saved', () => {
  const sent = { comment: 'pump', assignee: 'wang' }
  expect(dropSaved(sent, sent)).toEqual({})
  expect(dropSaved({ ...sent, comment: 'pump is off' }, sent)).toEqual({ comment: 'pump is off' })
})
