import type { GuardEvent } from './guard-states.ts'

/** Target of a navigation. */
export interface Target {
  readonly pathname: string
  /** Query with its question mark, or empty. */
  readonly search: string
  /** Fragment with its number sign, or empty. */
  readonly hash: string
}

/** Account and password from a query. */
export interface Credentials {
  readonly account: string
  readonly password: string
}

/** Origin for parsing addresses without one. */
const HERE = 'http://here.invalid'

export const LOGIN_PATH = '/login'
export const FRAME_PATH = '/loginiframe'

export const toAddress = ({ pathname, search, hash }: Target): string => `${pathname}${search}${hash}`

/** Address of the login that returns to `address` (path, query and hash) afterwards. */
export const toLoginPath = (address: string): string =>
  `${LOGIN_PATH}?redirect=${encodeURIComponent(address)}`

/** The guard event of a navigation to a path. */
export function toGuardEvent(pathname: string): GuardEvent {
  if (pathname === LOGIN_PATH) return 'to-login'
  return pathname === FRAME_PATH ? 'to-frame' : 'to-page'
}

export interface Found {
  /** Present only if the query has both account and password. */
  readonly credentials: Credentials | undefined
  /** The target without the credentials. */
  readonly clean: Target
}

/**
 * Account and password of a query, and the target without them; undefined if the query has no password. Also removes a
 * password without an account and one inside the `redirect` address.
 */
export function findCredentials(target: Target): Found | undefined {
  const query = new URLSearchParams(target.search)
  const password = query.get('password')
  const account = query.get('username')
  const redirect = query.get('redirect')
  const way = redirect === null ? null : cleanRedirect(redirect)
  if (password === null && way === redirect) return undefined
  if (password !== null) {
    query.delete('username')
    query.delete('password')
  }
  if (way === null) query.delete('redirect')
  else query.set('redirect', way)
  const search = query.size > 0 ? `?${query}` : ''
  return {
    credentials: account === null || password === null ? undefined : { account, password },
    clean: { ...target, search },
  }
}

/** The redirect address without a password in its query; null if it is not an address. */
function cleanRedirect(redirect: string): string | null {
  if (!URL.canParse(redirect, HERE)) return null
  const { origin, pathname, search, hash } = new URL(redirect, HERE)
  const found = findCredentials({ pathname, search, hash })
  if (!found) return redirect
  return origin === HERE ? toAddress(found.clean) : null
}

/** Login-source id of a query; undefined unless it is an integer. */
export function findLoginSource(search: string): string | undefined {
  const value = new URLSearchParams(search).get('loginSrcId') ?? ''
  return /^\d{1,9}$/.test(value) ? value : undefined
}
