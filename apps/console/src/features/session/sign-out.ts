import { logout } from '@isotherm/contract/endpoints/session'
import { ApiError, toFailureText } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { i18n } from '../../shared/i18n/i18n.ts'
import { findTokens } from '../../shared/session/tokens.ts'
import { showNotice } from '../../shared/ui/notices.ts'
import { createFarewell } from './farewell.ts'
import { dropSession } from './sign-in.ts'

const AGAIN_EVERY_MS = 15_000

const farewell = createFarewell({
  async tell(token) {
    try {
      await call(logout, { opType: 1 }, { onExpired: 'reject', quiet: true, token })
      return 'told'
    } catch (error) {
      if (!(error instanceof ApiError) || error.isRefusal) {
        // A session that is over already needs no farewell.
        console.error('the server refused to end the session', error)
        return 'over'
      }
      console.error('the server could not be told of the logout', toFailureText(error))
      return 'unreachable'
    }
  },
  now: Date.now,
  again(run) {
    const timer = setTimeout(run, AGAIN_EVERY_MS)
    window.addEventListener('online', run, { once: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', run)
    }
  },
  onUnreachable: () => showNotice('warning', i18n.t('logout.untold', { ns: 'session' }), 8),
})

function end(onTold?: () => void): void {
  const tokens = findTokens(localStorage, Date.now())
  dropSession()
  if (tokens) farewell.say({ token: tokens.first, expiresAt: tokens.expiresAt, onTold })
}

/**
 * Ends the session: here at once and in all tabs, whatever the server says, then on the server. One that
 * cannot be reached is told as soon as it can; it ends the session by itself after two hours anyway.
 */
export const signOut = (): void =>
  end(() => showNotice('success', i18n.t('success.done', { title: i18n.t('navbar.logout') })))

/** Makes room for another login: the session that stands ends without a word. */
export const giveWay = (): void => end()
