import type { Backend } from '@isotherm/contract/endpoint'

/** Names under which the session stands in local storage, so that all tabs share it (specification, section 9). */
export const sessionKeys = {
  first: 'heighten',
  second: 'heightenplus',
  expiresAt: 'ExpiresAt',
  loginSource: 'loginSrcId',
  userType: 'isotherm.utype',
} as const

/** Login and every refresh are good for two hours. */
const TOKEN_LIFE_MS = 2 * 60 * 60_000
/** A refresh is due this long after a login or the last refresh. */
const REFRESH_AFTER_MS = 90 * 60_000

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export interface Tokens {
  readonly first: string
  readonly second: string
  /** Unix ms. */
  readonly expiresAt: number
  /** User type; `usr` refreshes the first token too. */
  readonly userType: string
}

/** Both tokens, or nothing when one is missing or they have run out. */
export function findTokens(store: Store, now: number): Tokens | undefined {
  const first = store.getItem(sessionKeys.first)
  const second = store.getItem(sessionKeys.second)
  const expiresAt = Number(store.getItem(sessionKeys.expiresAt) ?? Number.NaN)
  if (!first || !second || !(expiresAt > now)) return undefined
  return { first, second, expiresAt, userType: store.getItem(sessionKeys.userType) ?? '' }
}

/** Token for calls of one backend, whatever its age: the server judges that. */
export const findToken = (store: Store, backend: Backend): string | undefined =>
  store.getItem(backend === 'usr-cloud' ? sessionKeys.first : sessionKeys.second) ?? undefined

/** Keeps what a login or refresh gave; only what is given changes. */
export function keepTokens(store: Store, given: Partial<Omit<Tokens, 'expiresAt'>>, now: number): void {
  if (given.first !== undefined) store.setItem(sessionKeys.first, given.first)
  if (given.second !== undefined) store.setItem(sessionKeys.second, given.second)
  if (given.userType !== undefined) store.setItem(sessionKeys.userType, given.userType)
  store.setItem(sessionKeys.expiresAt, String(now + TOKEN_LIFE_MS))
}

export function clearTokens(store: Store): void {
  for (const key of [sessionKeys.first, sessionKeys.second, sessionKeys.expiresAt, sessionKeys.userType]) {
    store.removeItem(key)
  }
}

/** Whether 90 minutes have passed since the tokens were made. */
export const isRefreshDue = (tokens: Tokens, now: number): boolean =>
  now >= tokens.expiresAt - TOKEN_LIFE_MS + REFRESH_AFTER_MS
