import {
  getAllModulesU,
  getUser,
  login,
  tokenLogin,
} from '@isotherm/contract/endpoints/administration/session'
import { ApiError } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { toUserFailure } from '../../../shared/api/user-failure.ts'
import { i18n } from '../../../shared/i18n/i18n.ts'
import { type Access, clearAccess } from '../../../shared/session/session-store.ts'
import { clearTokens, type Tokens } from '../../../shared/session/tokens.ts'
import { createSignIn, type SignedIn, type SignInOptions } from './create-sign-in.ts'
import { storeDefaultSource } from './login-source.ts'
import { serverLogout } from './server-logout.ts'
import { createStoredLogin, type GivenLogin } from './stored-login.ts'

export const storedLogin = createStoredLogin({
  tab: sessionStorage,
  shared: localStorage,
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
})

/** A refusal of the second backend at login always shows 'response status error' (section 8). */
function toStatusError(error: unknown): never {
  if (error instanceof ApiError && error.isRefusal && error.code !== 'response.null') {
    throw new ApiError(error.code, 'response status error', error.params, { cause: error })
  }
  throw error
}

async function logIn({ account, passwordHash, code }: GivenLogin): Promise<Omit<Tokens, 'expiresAt'>> {
  const credentials = { username: account, password: passwordHash }
  const options = { quiet: true, onExpired: 'reject' } as const
  try {
    const first = await call(login, code === undefined ? credentials : { ...credentials, code }, options)
    // The second login joins the session of the first one in this browser, so it needs no code.
    const second = await call(tokenLogin, credentials, options).catch(toStatusError)
    await storeDefaultSource()
    return { first: first.token, second: second.data, userType: second.utype, uid: String(first.uid) }
  } catch (error) {
    throw toUserFailure(error, (info) => i18n.t('failure.reason', { account, info }))
  }
}

const signInWith = createSignIn({ store: localStorage, now: Date.now, logIn, endOnServer: serverLogout.send })

/**
 * Logs in to both backends. Stores the tokens only if both accept. Throws ApiError, with the text '{account} failure
 * reason: {info}' for a refusal.
 */
export async function signIn(
  account: string,
  passwordHash: string,
  options: SignInOptions = { as: 'replace' },
): Promise<SignedIn> {
  const stored = { account: account.trim(), passwordHash }
  const outcome = await signInWith({ ...stored, code: options.code?.trim() }, options)
  if (outcome === 'signed-in') storedLogin.store(stored)
  return outcome
}

/** Loads the user and the permitted modules, which the guard requires before the first page. */
export async function loadAccess(): Promise<Access> {
  const options = { onExpired: 'reject', quiet: true } as const
  const [user, modules] = await Promise.all([call(getUser, {}, options), call(getAllModulesU, {}, options)])
  return { user, ...modules }
}

/** Clears the session on this machine, in all tabs. */
export function dropSession(): void {
  clearTokens(localStorage)
  storedLogin.forget()
  clearAccess()
}
