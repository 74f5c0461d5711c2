import { type MiddlewareFunction, redirect } from 'react-router'
import { keepCredentials } from '../../features/session/kept-credentials.ts'
import { dropSession, loadAccess } from '../../features/session/sign-in.ts'
import { i18n } from '../../shared/i18n/i18n.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { findTokens } from '../../shared/session/tokens.ts'
import { showNotice } from '../../shared/ui/notices.ts'
import { decide, toLoginPath } from './decide.ts'

/** How long the message of a failed guard stands, s (specification, section 9). */
const GUARD_MESSAGE_S = 5

async function loadAccessOrLeave(path: string): Promise<void> {
  try {
    await loadAccess()
  } catch (error) {
    console.error('the permitted modules could not be loaded', error)
    dropSession()
    showNotice('error', i18n.t('guard.permissionFailed'), GUARD_MESSAGE_S)
    throw redirect(toLoginPath(path))
  }
}

/** Runs before every navigation, before any page is loaded. */
export const guard: MiddlewareFunction = async ({ request }, next) => {
  const { pathname, search } = new URL(request.url)
  const state = {
    signedIn: findTokens(localStorage, Date.now()) !== undefined,
    accessLoaded: useSession.getState().modules !== undefined,
  }
  const decision = decide(state, { pathname, search })
  if (decision.kind === 'go') {
    if (decision.keep) keepCredentials(decision.keep)
    throw redirect(decision.to)
  }
  if (decision.kind === 'load-access') await loadAccessOrLeave(`${pathname}${search}`)
  return next()
}
