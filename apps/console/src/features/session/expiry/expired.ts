import { create } from 'zustand'
import { ApiError, toFailureText } from '../../../shared/api/api-error.ts'
import { i18n } from '../../../shared/i18n/i18n.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { provideRecovery } from '../../../shared/session/recovery.ts'
import { dropSession, signIn, storedLogin } from '../sign-in/sign-in.ts'
import { createExpired, type ExpiredView, type Renewal } from './create-expired.ts'

/** State of the dialog for an expired session. */
export const useExpired = create<ExpiredView>(() => ({ state: 'valid', text: undefined }))

let leave: () => void = () => {}

/** Registers the function that opens the login after a lost session; the shell provides it. */
export function provideLeave(provided: () => void): void {
  leave = provided
}

/** Logs in with the stored account. The old tokens stay until the result is known, because other tabs share them. */
async function renew(): Promise<Renewal> {
  const stored = storedLogin.find()
  if (!stored) return { kind: 'refused', text: undefined }
  try {
    const outcome = await signIn(stored.account, stored.passwordHash, { as: 'renew' })
    if (outcome === 'ended') return { kind: 'refused', text: undefined }
    if (outcome === 'overtaken') return { kind: 'renewed' }
    showNotice('success', i18n.t('success.done', { title: i18n.t('expired.confirm', { ns: 'session' }) }))
    return { kind: 'renewed' }
  } catch (error) {
    console.error('the session could not be opened again', error)
    const text = toFailureText(error)
    const isPause = error instanceof ApiError && ['session.slowed', 'request.too-many'].includes(error.code)
    const isRefused = error instanceof ApiError && error.isRefusal && !isPause
    return { kind: isRefused ? 'refused' : 'unreachable', text }
  }
}

/** The dialog state of this tab (docs/specs/session.md). */
export const expired = createExpired({
  renew,
  show: (view) => useExpired.setState(view),
  lose(text) {
    dropSession()
    if (text !== undefined) showNotice('error', text)
    leave()
  },
})

provideRecovery(expired.recover)
