/** A short message over the page. */
export interface Notice {
  /** Messages of the same key are one. */
  readonly key: string
  readonly level: 'success' | 'info' | 'warning' | 'error'
  readonly text: string
  readonly durationS: number
  /** When it goes by itself, Unix ms. */
  readonly until: number
  /** How many different failures it stands for. */
  readonly count: number
}

/** Different failures that may stand one above the other; with one more they become one. */
const MOST_ERRORS = 2
const COLLAPSED = 'error collapsed'

/**
 * Adds a message to those that stand. The same text is there once, and many failures at once become one message
 * with their number and the newest text, so that they never cover the page.
 */
export function addNotice(
  standing: readonly Notice[],
  { level, text, durationS }: Pick<Notice, 'level' | 'text' | 'durationS'>,
  now: number,
): readonly Notice[] {
  const current = standing.filter(({ until }) => until > now)
  const until = now + durationS * 1000
  const key = `${level} ${text}`
  const added: Notice = { key, level, text, durationS, until, count: 1 }
  const same = (notice: Notice) => notice.key === key || (notice.key === COLLAPSED && notice.text === text)
  if (current.some(same)) return current.map((notice) => (same(notice) ? { ...notice, until } : notice))
  if (level !== 'error') return [...current, added]
  const errors = current.filter((notice) => notice.level === 'error')
  const count = errors.reduce((sum, notice) => sum + notice.count, 1)
  if (count <= MOST_ERRORS) return [...current, added]
  return [...current.filter((notice) => notice.level !== 'error'), { ...added, key: COLLAPSED, count }]
}
