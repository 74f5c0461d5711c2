import type { Alarm } from '@isotherm/contract/alarms/alarms'
import type { AlarmUpdate } from '../calls/alarm-update.ts'

type Noted = Pick<Alarm, 'comment' | 'assignee'>

/** Typed and unsaved fields. A missing field is untouched and shows the server value. */
export interface NotesDraft {
  readonly comment?: string
  readonly assignee?: string
}

const toServerNotes = ({ comment, assignee }: Noted): Required<NotesDraft> => ({
  comment,
  assignee: assignee ?? '',
})

/** The values of the fields. */
export const toShownNotes = (draft: NotesDraft, alarm: Noted): Required<NotesDraft> => ({
  ...toServerNotes(alarm),
  ...draft,
})

/** The draft without the fields that are equal in another draft. */
function without(draft: NotesDraft, same: NotesDraft): NotesDraft {
  const { comment, assignee } = draft
  return {
    ...(comment !== undefined && comment !== same.comment && { comment }),
    ...(assignee !== undefined && assignee !== same.assignee && { assignee }),
  }
}

/** Applies typed text. A field typed back to the server value counts as untouched. */
export const typeNotes = (draft: NotesDraft, typed: NotesDraft, alarm: Noted): NotesDraft =>
  without({ ...draft, ...typed }, toServerNotes(alarm))

/** The unsaved part of a draft after another draft was saved. */
export const dropSaved = (draft: NotesDraft, saved: NotesDraft): NotesDraft => without(draft, saved)

/** The changes to save; a field equal to the server value is left out. */
export function toAlarmUpdate(draft: NotesDraft, alarm: Noted): AlarmUpdate {
  const server = toServerNotes(alarm)
  const comment = draft.comment?.trim() ?? server.comment
  const assignee = draft.assignee?.trim() ?? server.assignee
  return {
    ...(comment !== server.comment && { comment }),
    ...(assignee !== server.assignee && { assignee: assignee || null }),
  }
}
