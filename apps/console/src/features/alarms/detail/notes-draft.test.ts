import { expect, test } from 'vitest'
import { dropSaved, type NotesDraft, toAlarmUpdate, toShownNotes, typeNotes } from './notes-draft.ts'

const alarm = { comment: 'seen', assignee: 'li' }
const untouched: NotesDraft = {}

test('an untouched field follows the server, a touched field keeps the typed text', () => {
  const draft = typeNotes(untouched, { comment: 'pump is off' }, alarm)
  const changed = { comment: 'by a colleague', assignee: 'wang' }
  expect(toShownNotes(draft, changed)).toEqual({ comment: 'pump is off', assignee: 'wang' })
  expect(toShownNotes(untouched, changed)).toEqual(changed)
})

test('only changed fields are saved, trimmed', () => {
  expect(toAlarmUpdate(untouched, alarm)).toEqual({})
  expect(toAlarmUpdate({ comment: ' seen ', assignee: ' li' }, alarm)).toEqual({})
  expect(toAlarmUpdate({ comment: ' pump is off ' }, alarm)).toEqual({ comment: 'pump is off' })
  expect(toAlarmUpdate({ comment: '' }, alarm)).toEqual({ comment: '' })
})

test('an emptied assignee is removed, and no assignee stays none', () => {
  expect(toAlarmUpdate({ assignee: ' ' }, alarm)).toEqual({ assignee: null })
  expect(toAlarmUpdate({ assignee: 'wang' }, { comment: '' })).toEqual({ assignee: 'wang' })
  expect(toAlarmUpdate({ assignee: ' ' }, { comment: '' })).toEqual({})
})

test('a field typed back to the server value counts as untouched', () => {
  const draft = typeNotes({ comment: 'pump', assignee: 'wang' }, { comment: 'seen' }, alarm)
  expect(draft).toEqual({ assignee: 'wang' })
  expect(typeNotes(draft, { assignee: 'li' }, alarm)).toEqual({})
})

test('after a save, text typed since is still unsaved', () => {
  const sent = { comment: 'pump', assignee: 'wang' }
  expect(dropSaved(sent, sent)).toEqual({})
  expect(dropSaved({ ...sent, comment: 'pump is off' }, sent)).toEqual({ comment: 'pump is off' })
})
