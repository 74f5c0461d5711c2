import { create } from 'zustand'
import { addNotice, type Notice } from './notice-list.ts'

/** Messages that stand over the page. */
export const useNotices = create<{ readonly standing: readonly Notice[] }>(() => ({ standing: [] }))

/** Error toasts stand for 5 s, tree warnings for 1 s (specification, section 9). */
export function showNotice(
  level: Notice['level'],
  text: string,
  durationS = level === 'error' ? 5 : 3,
): void {
  useNotices.setState(({ standing }) => ({
    standing: addNotice(standing, { level, text, durationS }, Date.now()),
  }))
}
