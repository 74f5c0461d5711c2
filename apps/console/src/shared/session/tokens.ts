import type { Backend } from '@isotherm/contract/endpoint'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'

/** Keys of the session in local storage, shared by all tabs (specification, section 9). */
export const sessionKeys = {
  first: 'heighten',
  second: 'heightenplus',
  expiresAt: 'ExpiresAt',
  loginSource: 'loginSrcId',
  userType: 'isotherm.utype',
  user: 'isotherm.uid',
} as const

/** Key in session storage for the last user of this tab. A logout does not remove it. */
const LAST_USER = 'isotherm.lastUser'

/** Validity of the tokens after a login or refresh. */
const TOKEN_LIFE_MS = 2 * HOUR_MS
/** A refresh is due this long after a login or the last refresh. */
const REFRESH_AFTER_MS = 90 * MINUTE_MS

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export interface Tokens {
  readonly first: string
  readonly second: string
  /** Unix ms. */
  readonly expiresAt: number
  /** User type; `usr` refreshes the first token too. */
  readonly userType: string
  /** Id of the user; empty in a session that an older console stored. */
  readonly uid: string
}

/** Both tokens; undefined if one is missing or expired. */
export function findTokens(store: Store, now: number): Tokens | undefined {
  const first = store.getItem(sessionKeys.first)
  const second = store.getItem(sessionKeys.second)
  const expiresAt = Number(store.getItem(sessionKeys.expiresAt) ?? Number.NaN)
  if (!first || !second || !(expiresAt > now)) return undefined
  const userType = store.getItem(sessionKeys.userType) ?? ''
  return { first, second, expiresAt, userType, uid: store.getItem(sessionKeys.user) ?? '' }
}

/** Token for calls of one backend, regardless of its age: the server checks that. */
export const findToken = (store: Store, backend: Backend): string | undefined =>
  store.getItem(backend === 'usr-cloud' ? sessionKeys.first : sessionKeys.second) ?? undefined

/**
 * Stores the given parts of a login or refresh, valid for two hours. Stores the user before the tokens, so that another
 * tab that sees new tokens finds their user.
 */
export function storeTokens(store: Store, given: Partial<Omit<Tokens, 'expiresAt'>>, now: number): void {
  if (given.uid !== undefined) store.setItem(sessionKeys.user, given.uid)
  if (given.userType !== undefined) store.setItem(sessionKeys.userType, given.userType)
  store.setItem(sessionKeys.expiresAt, String(now + TOKEN_LIFE_MS))
  if (given.second !== undefined) store.setItem(sessionKeys.second, given.second)
  if (given.first !== undefined) store.setItem(sessionKeys.first, given.first)
}

/** Stores the first half of a refresh. The two hours start with the second half; until then the refresh stays due. */
export const storeFirstToken = (store: Store, token: string): void => store.setItem(sessionKeys.first, token)

export function clearTokens(store: Store): void {
  const { loginSource, ...ended } = sessionKeys
  for (const key of Object.values(ended)) store.removeItem(key)
}

/** Stores the user of this tab. `tab` is the session storage. */
export const storeLastUser = (tab: Store, uid: string): void => tab.setItem(LAST_USER, uid)

/** Whether another user had this tab before. */
export function hadAnotherUser(tab: Store, uid: string): boolean {
  const last = tab.getItem(LAST_USER)
  return last !== null && last !== uid
}

/** Whether 90 minutes have passed since the tokens were issued. */
export const isRefreshDue = (tokens: Tokens, now: number): boolean =>
  now >= tokens.expiresAt - TOKEN_LIFE_MS + REFRESH_AFTER_MS
