import { type MiddlewareFunction, replace } from 'react-router'
import { storeCredentials } from '../../features/session/login/address-credentials.ts'
import { isFramed } from '../../features/session/login/is-framed.ts'
import { storeGivenSource } from '../../features/session/sign-in/login-source.ts'
import { dropSession, loadAccess } from '../../features/session/sign-in/sign-in.ts'
import { i18n } from '../../shared/i18n/i18n.ts'
import { showNotice } from '../../shared/notices/notices.ts'
import { provideAccessReload } from '../../shared/session/access-reload.ts'
import { clearAccess, storeAccess, useSession } from '../../shared/session/session-store.ts'
import { findTokens, hadAnotherUser, storeLastUser } from '../../shared/session/tokens.ts'
import { pages } from '../pages.ts'
import { AccessUnreachable } from './access-unreachable.ts'
import { createCanonical } from './canonical-path.ts'
import { createGuard } from './create-guard.ts'
import { isRefusal } from './is-refusal.ts'

/** Duration of the message of a failed guard, s (specification, section 9). */
const GUARD_MESSAGE_S = 5

/** Resolves when texts are loaded. The guard waits for it, so that calls and messages use the console's language. */
const textsReady = new Promise<void>((ready) => {
  if (i18n.isInitialized) ready()
  else i18n.on('initialized', () => ready())
})

const { admit } = createGuard({
  findSession: () => findTokens(localStorage, Date.now())?.uid,
  hadAnotherUser() {
    const tokens = findTokens(localStorage, Date.now())
    return tokens !== undefined && hadAnotherUser(sessionStorage, tokens.uid)
  },
  isFramed,
  toCanonical: createCanonical(pages.map(({ path }) => path)),
  holdsAccess: () => useSession.getState().modules !== undefined,
  async loadAccess() {
    await textsReady
    return loadAccess()
  },
  storeAccess(access) {
    storeAccess(access)
    storeLastUser(sessionStorage, String(access.user.id))
  },
  clearAccess,
  isRefusal,
  endSession(cause) {
    console.error('the permitted modules could not be loaded', cause)
    dropSession()
    showNotice('error', i18n.t('guard.permissionFailed'), GUARD_MESSAGE_S)
  },
  storeCredentials,
  storeLoginSource: storeGivenSource,
  replaceAddress: (address) => history.replaceState(history.state, '', address),
})

provideAccessReload(async () => storeAccess(await loadAccess()))

/**
 * Runs before every navigation and before any page loads. A redirect replaces the history entry, because going back would
 * repeat it and because an address with a password must not stay in the history.
 */
export const guard: MiddlewareFunction = async ({ request, url }, next) => {
  const { pathname, search } = new URL(request.url)
  const verdict = await admit({ pathname, search, hash: url.hash })
  if (verdict.kind === 'go') throw replace(verdict.to)
  if (verdict.kind === 'retry') throw new AccessUnreachable(verdict.cause)
  return next()
}
