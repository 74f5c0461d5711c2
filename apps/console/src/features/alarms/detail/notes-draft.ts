import type { Alarm } from '@isotherm/contract/alarms'
import type { Deeds } from '../calls/alarm-update.ts'

type Noted = Pick<Alarm, 'comment' | 'assignee'>

/** What was typed and is not saved yet; a field that is absent was not touched, and shows what the server says. */
export interface NotesDraft {
  readonly comment?: string
  readonly assignee?: string
}

const toServerNotes = ({ comment, assignee }: Noted): Required<NotesDraft> => ({
  comment,
  assignee: assignee ?? '',
})

/** What the fields show. */
export const toShownNotes = (draft: NotesDraft, alarm: Noted): Required<NotesDraft> => ({
  ...toServerNotes(alarm),
  ...draft,
})

/** The draft without the fields that say the same in another. */
function without(draft: NotesDraft, same: NotesDraft): NotesDraft {
  const { comment, assignee } = draft
  return {
    ...(comment !== undefined && comment !== same.comment && { comment }),
    ...(assignee !== undefined && assignee !== same.assignee && { assignee }),
  }
}

/** Takes what was typed; typed back to what the server says, a field counts as untouched. */
export const typeNotes = (draft: NotesDraft, typed: NotesDraft, alarm: Noted): NotesDraft =>
  without({ ...draft, ...typed }, toServerNotes(alarm))

/** What stays to be saved of a draft once another was: what was typed since. */
export const dropSaved = (draft: NotesDraft, saved: NotesDraft): NotesDraft => without(draft, saved)

/** What is to be saved: nothing where a field says what the server says anyway. */
export function toDeeds(draft: NotesDraft, alarm: Noted): Deeds {
  const server = toServerNotes(alarm)
  const comment = draft.comment?.trim() ?? server.comment
  const assignee = draft.assignee?.trim() ?? server.assignee
  return {
    ...(comment !== server.comment && { comment }),
    ...(assignee !== server.assignee && { assignee: assignee || null }),
  }
}
