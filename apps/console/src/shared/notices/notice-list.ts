/** What the user can do about a message, for example undo. */
export interface NoticeAction {
  readonly label: string
  readonly act: () => void
}

/** A short message over the page. */
export interface Notice {
  /** Messages with the same key are merged. */
  readonly key: string
  readonly level: 'success' | 'info' | 'warning' | 'error'
  readonly text: string
  readonly durationS: number
  /** When it disappears, Unix ms. */
  readonly until: number
  /** Number of different failures it represents. */
  readonly count: number
  readonly action?: NoticeAction | undefined
}

/** Maximum of different failures shown separately; more are merged into one message. */
const MAX_ERRORS = 2
const COLLAPSED = 'error collapsed'

/**
 * Adds a message. The same text appears once. Many failures become one message with their number and the newest text,
 * so that messages never cover the page.
 */
export function addNotice(
  notices: readonly Notice[],
  { level, text, durationS, action }: Pick<Notice, 'level' | 'text' | 'durationS' | 'action'>,
  now: number,
): readonly Notice[] {
  const current = notices.filter(({ until }) => until > now)
  const until = now + durationS * 1000
  const key = `${level} ${text}`
  const added: Notice = { key, level, text, durationS, until, count: 1, ...(action && { action }) }
  const same = (notice: Notice) => notice.key === key || (notice.key === COLLAPSED && notice.text === text)
  if (current.some(same))
    return current.map((notice) => (same(notice) ? { ...notice, until, ...(action && { action }) } : notice))
  if (level !== 'error') return [...current, added]
  const errors = current.filter((notice) => notice.level === 'error')
  const count = errors.reduce((sum, notice) => sum + notice.count, 1)
  if (count <= MAX_ERRORS) return [...current, added]
  return [...current.filter((notice) => notice.level !== 'error'), { ...added, key: COLLAPSED, count }]
}
