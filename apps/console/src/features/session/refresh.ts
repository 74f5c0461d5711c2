import { reflushToken, refreshToken } from '@isotherm/contract/endpoints/session'
import { call } from '../../shared/api/client.ts'
import { findTokens, isRefreshDue, keepTokens, type Tokens } from '../../shared/session/tokens.ts'

const LOCK = 'isotherm.refreshing'
/** A tab that died while refreshing holds the others up no longer than this. */
const LOCK_LIFE_MS = 60_000

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * Takes the right to refresh among all tabs, by a dated mark in local storage: Web Locks would be better and
 * do not exist on plain HTTP. Gives what releases it, or nothing when another tab is at it.
 */
export function takeRefreshLock(store: Store, now: number): (() => void) | undefined {
  const since = Number(store.getItem(LOCK) ?? Number.NaN)
  if (now - since < LOCK_LIFE_MS && now >= since) return undefined
  store.setItem(LOCK, String(now))
  return () => store.removeItem(LOCK)
}

async function refresh(tokens: Tokens): Promise<void> {
  const first =
    tokens.userType === 'usr' ? await call(refreshToken, { token: tokens.first }, { quiet: true }) : undefined
  if (first) keepTokens(localStorage, { first: first.token }, Date.now())
  const second = await call(reflushToken, { token: tokens.second }, { quiet: true })
  keepTokens(localStorage, { second: second.data, userType: second.utype }, Date.now())
}

/** Refreshes the tokens when 90 minutes have passed, unless another tab does or did. */
export async function refreshIfDue(): Promise<void> {
  const tokens = findTokens(localStorage, Date.now())
  if (!tokens || !isRefreshDue(tokens, Date.now())) return
  const release = takeRefreshLock(localStorage, Date.now())
  if (!release) return
  try {
    await refresh(tokens)
  } finally {
    release()
  }
}
