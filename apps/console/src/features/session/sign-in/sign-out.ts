import { i18n } from '../../../shared/i18n/i18n.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { findTokens } from '../../../shared/session/tokens.ts'
import { serverLogout } from './server-logout.ts'
import { dropSession } from './sign-in.ts'

/**
 * Ends the session: here at once and in all tabs, whatever the server says, then on the server. One that
 * cannot be reached is told as soon as it can; it ends the session by itself after two hours anyway.
 */
export function signOut(): void {
  const tokens = findTokens(localStorage, Date.now())
  dropSession()
  if (!tokens) return
  const { first: token, expiresAt } = tokens
  const onDone = () => showNotice('success', i18n.t('success.done', { title: i18n.t('navbar.logout') }))
  serverLogout.say({ token, expiresAt, onDone })
}
