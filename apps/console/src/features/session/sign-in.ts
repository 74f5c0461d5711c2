import { getAllModulesU, getUser, login, logout, tokenLogin } from '@isotherm/contract/endpoints/session'
import { ApiError } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { forgetAccess, keepAccess } from '../../shared/session/session-store.ts'
import { clearTokens, keepTokens, sessionKeys } from '../../shared/session/tokens.ts'
import { createStoredLogin } from './stored-login.ts'

export const storedLogin = createStoredLogin({
  tab: sessionStorage,
  shared: localStorage,
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
})

/** Signs in to both backends; tokens are kept only when both said yes. Throws ApiError. */
export async function signIn(account: string, passwordHash: string): Promise<void> {
  const credentials = { username: account.trim(), password: passwordHash }
  const first = await call(login, credentials, { quiet: true })
  const second = await call(tokenLogin, credentials, { quiet: true }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'response.status') {
      throw new ApiError('response.status', 'response status error', {}, { cause: error })
    }
    throw error
  })
  keepTokens(localStorage, { first: first.token, second: second.data, userType: second.utype }, Date.now())
  if (localStorage.getItem(sessionKeys.loginSource) === null)
    localStorage.setItem(sessionKeys.loginSource, '128')
  storedLogin.keep({ account: credentials.username, passwordHash })
}

/** Loads who the user is and which modules they may use: what the guard asks for before the first page. */
export async function loadAccess(): Promise<void> {
  const options = { onExpired: 'reject', quiet: true } as const
  const [user, modules] = await Promise.all([call(getUser, {}, options), call(getAllModulesU, {}, options)])
  keepAccess(user, modules)
}

/** Forgets the session on this machine, in all tabs. */
export function dropSession(): void {
  clearTokens(localStorage)
  storedLogin.forget()
  forgetAccess()
}

/** Ends the session on the server, then here. A session that is already over counts as ended. */
export async function signOut(): Promise<void> {
  try {
    await call(logout, { opType: 1 }, { onExpired: 'reject' })
  } catch (error) {
    const over = error instanceof ApiError && ['session.expired', 'session.missing'].includes(error.code)
    if (!over) throw error
  }
  dropSession()
}
