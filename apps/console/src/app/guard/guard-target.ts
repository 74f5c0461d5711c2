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

export const LOGIN_PATH = '/login'
const FRAME_PATH = '/loginiframe'

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
 * password without an account leaves the address too, for it must not stay in one.
 */
export function findCredentials(target: Target): Found | undefined {
  const query = new URLSearchParams(target.search)
  const password = query.get('password')
  const account = query.get('username')
  if (password === null) return undefined
  query.delete('username')
  query.delete('password')
  const search = query.size > 0 ? `?${query}` : ''
  return {
    credentials: account === null ? undefined : { account, password },
    clean: { ...target, search },
  }
}

/** Login-source id of a query; undefined when it holds none or none that is a whole number. */
export function findLoginSource(search: string): string | undefined {
  const value = new URLSearchParams(search).get('loginSrcId') ?? ''
  return /^\d{1,9}$/.test(value) ? value : undefined
}
