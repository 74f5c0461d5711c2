import type { GuardEvent } from './guard-states.ts'

/** Where a navigation wants to go. */
export interface Target {
  readonly pathname: string
  /** With its question mark, or empty. */
  readonly search: string
  /** With its number sign, or empty. */
  readonly hash: string
}

/** Account and password found in a query. */
export interface Credentials {
  readonly account: string
  readonly password: string
}

/** Origin of addresses that name none. */
const HERE = 'http://here.invalid'

export const LOGIN_PATH = '/login'
export const FRAME_PATH = '/loginiframe'

export const toAddress = ({ pathname, search, hash }: Target): string => `${pathname}${search}${hash}`

/** Address of the login that leads back to a whole address (path, query and hash) afterwards. */
export const toLoginPath = (address: string): string =>
  `${LOGIN_PATH}?redirect=${encodeURIComponent(address)}`

/** Which event of the guard a navigation to a path is. */
export function toGuardEvent(pathname: string): GuardEvent {
  if (pathname === LOGIN_PATH) return 'to-login'
  return pathname === FRAME_PATH ? 'to-frame' : 'to-page'
}

export interface Found {
  /** Set only when account and password were both there. */
  readonly credentials: Credentials | undefined
  /** The target without them. */
  readonly clean: Target
}

/**
 * Account and password of a query, and the target without them; nothing when the query holds no password. A
 * password without an account leaves the address too, and one in the address of `redirect`, for it must not
 * stay in one.
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

/** A way back without the password that its own query holds; nothing when it is no address. */
function cleanRedirect(redirect: string): string | null {
  if (!URL.canParse(redirect, HERE)) return null
  const { origin, pathname, search, hash } = new URL(redirect, HERE)
  const found = findCredentials({ pathname, search, hash })
  if (!found) return redirect
  return origin === HERE ? toAddress(found.clean) : null
}

/** Login-source id of a query; undefined when it holds none or none that is a whole number. */
export function findLoginSource(search: string): string | undefined {
  const value = new URLSearchParams(search).get('loginSrcId') ?? ''
  return /^\d{1,9}$/.test(value) ? value : undefined
}
