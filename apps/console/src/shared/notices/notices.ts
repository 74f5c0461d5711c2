import { create } from 'zustand'
import { addNotice, type Notice, type NoticeAction } from './notice-list.ts'

/** Messages shown over the page. */
export const useNotices = create<{ readonly notices: readonly Notice[] }>(() => ({ notices: [] }))

/** Shows a message. Default: 5 s for errors, 3 s for others. Tree warnings pass 1 s (specification, section 9). */
export function showNotice(
  level: Notice['level'],
  text: string,
  durationS = level === 'error' ? 5 : 3,
): void {
  useNotices.setState(({ notices }) => ({
    notices: addNotice(notices, { level, text, durationS }, Date.now()),
  }))
}

/** Time to press the button of a message, s. */
const ACTION_S = 10

/** Reports a success with something the user can do about it. */
export function showActionNotice(text: string, action: NoticeAction): void {
  useNotices.setState(({ notices }) => ({
    notices: addNotice(notices, { level: 'success', text, durationS: ACTION_S, action }, Date.now()),
  }))
}
