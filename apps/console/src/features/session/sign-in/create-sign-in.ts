import { HOUR_MS } from '@isotherm/kernel/durations'
import { findToken, findTokens, keepTokens, type Tokens } from '../../../shared/session/tokens.ts'
import type { EndedSession } from './create-server-logout.ts'
import type { StoredLogin } from './stored-login.ts'

/** So long the server is told again of a new session that nobody wants; it ends by itself after that. */
const UNWANTED_LIFE_MS = 2 * HOUR_MS

export interface SignInPorts {
  readonly store: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  readonly now: () => number
  /** Logs in to both backends. */
  readonly logIn: (login: StoredLogin) => Promise<Omit<Tokens, 'expiresAt'>>
  /** Ends a session on the server. */
  readonly say: (serverLogout: EndedSession) => void
}

/** How a login ended that was begun for a session which stood. */
export type SignedIn =
  | 'signed-in'
  /** Another tab has logged in meanwhile: its session stands. */
  | 'overtaken'
  /** The session was ended meanwhile, here or in another tab: nobody is signed in. */
  | 'ended'

export interface SignInOptions {
  /**
   * `renew` opens the session that stands anew, and is worth nothing once that is no more; `replace` is
   * somebody's own login, which takes the place of whatever stands.
   */
  readonly as: 'renew' | 'replace'
}

/**
 * Makes what signs in. Nothing that stands is touched before both backends said yes; then the session that gave
 * way ends on the server, and so does a new one that nobody wants any more.
 */
export function createSignIn({ store, now, logIn, say }: SignInPorts) {
  const end = ({ first: token, expiresAt }: Tokens): void => say({ token, expiresAt })

  return async (login: StoredLogin, { as }: SignInOptions): Promise<SignedIn> => {
    // Whatever its age: an expired session is the very one that is to be renewed.
    const before = findToken(store, 'ht-api')
    const given = await logIn(login)
    const present = findToken(store, 'ht-api')
    if (as === 'renew' && present !== before) {
      // Late by another's hand: whoever logged out meanwhile must not be logged in again.
      end({ ...given, expiresAt: now() + UNWANTED_LIFE_MS })
      return present === undefined ? 'ended' : 'overtaken'
    }
    const standing = findTokens(store, now())
    keepTokens(store, given, now())
    if (as === 'replace' && standing) end(standing)
    return 'signed-in'
  }
}
