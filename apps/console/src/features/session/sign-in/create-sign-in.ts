import { HOUR_MS } from '@isotherm/kernel/durations'
import { findToken, findTokens, storeTokens, type Tokens } from '../../../shared/session/tokens.ts'
import type { EndedSession } from './create-server-logout.ts'

/** Time to retry the end of an unwanted new session on the server, ms; then it expires. */
const UNWANTED_LIFE_MS = 2 * HOUR_MS

export interface SignInPorts<Login> {
  readonly store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  readonly now: () => number
  /** Logs in to both backends. */
  readonly logIn: (login: Login) => Promise<Omit<Tokens, 'expiresAt'>>
  /** Ends a session on the server. */
  readonly endOnServer: (session: EndedSession) => void
}

/** Result of a login. */
export type SignedIn =
  | 'signed-in'
  /** Another tab has logged in; its session stays. */
  | 'overtaken'
  /** The session has ended, here or in another tab; there is no session. */
  | 'ended'

export interface SignInOptions {
  /**
   * `renew` renews the current session and is discarded if that session has ended; `replace` is a user login and
   * replaces any current session.
   */
  readonly as: 'renew' | 'replace'
  /** Code of the second factor. */
  readonly code?: string
}

/**
 * Creates the login function. The current session stays until both backends accept the login. Then the replaced session is
 * ended on the server, or the new session if it is no longer needed.
 */
export function createSignIn<Login>({ store, now, logIn, endOnServer }: SignInPorts<Login>) {
  const end = ({ first: token, expiresAt }: Tokens): void => endOnServer({ token, expiresAt })

  return async (login: Login, { as }: SignInOptions): Promise<SignedIn> => {
    // Also an expired token: most renewals follow one.
    const before = findToken(store, 'ht-api')
    const given = await logIn(login)
    const present = findToken(store, 'ht-api')
    if (as === 'renew' && present !== before) {
      // The session ended in the meantime: the late login must not undo a logout.
      end({ ...given, expiresAt: now() + UNWANTED_LIFE_MS })
      return present === undefined ? 'ended' : 'overtaken'
    }
    const replaced = findTokens(store, now())
    storeTokens(store, given, now())
    if (as === 'replace' && replaced) end(replaced)
    return 'signed-in'
  }
}
