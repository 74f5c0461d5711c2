import {
  findTokens,
  isRefreshDue,
  storeFirstToken,
  storeTokens,
  type Tokens,
} from '../../../shared/session/tokens.ts'

export interface RefreshPorts {
  readonly store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  readonly now: () => number
  /** Takes the refresh lock of all tabs; undefined if another tab has it. */
  readonly takeLock: () => Promise<(() => void) | undefined>
  /** First refresh function: a new first token. */
  readonly refreshFirst: (token: string) => Promise<string>
  /** Second refresh function: a new second token and the user type, from an answer with status 200. */
  readonly refreshSecond: (token: string) => Promise<Pick<Tokens, 'second' | 'userType'>>
}

/** User type whose first token is refreshed too (specification, section 4). */
const REFRESHES_BOTH = 'usr'

/**
 * Refreshes the tokens 90 minutes after they were issued, unless another tab does. A failed refresh stays due: the
 * caller retries until the two hours are over.
 */
export function createRefresh({ store, now, takeLock, refreshFirst, refreshSecond }: RefreshPorts) {
  const findDue = (): Tokens | undefined => {
    const tokens = findTokens(store, now())
    return tokens && isRefreshDue(tokens, now()) ? tokens : undefined
  }
  /** Compare the second token: only a login or a complete refresh changes it. */
  const isStill = (tokens: Tokens): boolean => findTokens(store, now())?.second === tokens.second

  async function refresh(tokens: Tokens): Promise<void> {
    if (tokens.userType === REFRESHES_BOTH) {
      const first = await refreshFirst(tokens.first)
      // A late answer must not undo a logout.
      if (!isStill(tokens)) return
      storeFirstToken(store, first)
    }
    const second = await refreshSecond(tokens.second)
    if (isStill(tokens)) storeTokens(store, second, now())
  }

  return async (): Promise<void> => {
    if (!findDue()) return
    const release = await takeLock()
    if (!release) return
    try {
      const due = findDue()
      if (due) await refresh(due)
    } finally {
      release()
    }
  }
}
