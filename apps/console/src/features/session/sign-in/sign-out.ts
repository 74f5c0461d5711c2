import { i18n } from '../../../shared/i18n/i18n.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { findTokens } from '../../../shared/session/tokens.ts'
import { serverLogout } from './server-logout.ts'
import { dropSession } from './sign-in.ts'

/**
 * Ends the session at once in all tabs, then on the server. If the server cannot be reached, it is notified later; the
 * session expires after two hours anyway.
 */
export function signOut(): void {
  const tokens = findTokens(localStorage, Date.now())
  dropSession()
  if (!tokens) return
  const { first: token, expiresAt } = tokens
  const onDone = () => showNotice('success', i18n.t('success.done', { title: i18n.t('navbar.logout') }))
  serverLogout.send({ token, expiresAt, onDone })
}
