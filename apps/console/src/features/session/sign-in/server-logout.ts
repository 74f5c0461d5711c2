import { logout } from '@isotherm/contract/endpoints/administration/session'
import { ApiError, toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { i18n } from '../../../shared/i18n/i18n.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { forgetEnded, storeEnded } from '../../../shared/session/ended-tokens.ts'
import { hashPassword } from '../../../shared/session/password.ts'
import { createServerLogout } from './create-server-logout.ts'

const AGAIN_EVERY_MS = 15_000

/** Ends sessions on the server, as soon as it can be reached. */
export const serverLogout = createServerLogout({
  async send(token) {
    try {
      await call(logout, { opType: 1 }, { onExpired: 'reject', quiet: true, token })
      return 'sent'
    } catch (error) {
      if (!(error instanceof ApiError) || error.isRefusal) {
        // The session has already ended on the server.
        console.error('the server refused to end the session', error)
        return 'over'
      }
      console.error('the server could not be notified of the logout', toFailureText(error))
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
  onUnreachable({ token, expiresAt }) {
    storeEnded(localStorage, hashPassword(token), expiresAt, Date.now())
    showNotice('warning', i18n.t('logout.untold', { ns: 'session' }), 8)
  },
  onOver: ({ token }) => forgetEnded(localStorage, [hashPassword(token)], Date.now()),
})
