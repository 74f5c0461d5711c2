import { create } from 'zustand'

/** A short message over the page. */
export interface Notice {
  readonly id: number
  readonly level: 'success' | 'info' | 'warning' | 'error'
  readonly text: string
  readonly durationS: number
}

export const useNotices = create<{ readonly waiting: readonly Notice[] }>(() => ({ waiting: [] }))

let nextId = 1

/** Error toasts stand for 5 s, tree warnings for 1 s (specification, section 9). */
export function showNotice(
  level: Notice['level'],
  text: string,
  durationS = level === 'error' ? 5 : 3,
): void {
  const notice = { id: nextId++, level, text, durationS }
  useNotices.setState(({ waiting }) => ({ waiting: [...waiting, notice] }))
}

export const takeNotices = (): readonly Notice[] => {
  const { waiting } = useNotices.getState()
  if (waiting.length > 0) useNotices.setState({ waiting: [] })
  return waiting
}
