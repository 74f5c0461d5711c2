import { changePassword } from '@isotherm/contract/endpoints/administration/user-access'
import { call } from '../../../shared/api/client.ts'
import { toUserFailure } from '../../../shared/api/user-failure.ts'
import { i18n } from '../../../shared/i18n/i18n.ts'
import { hashPassword } from '../../../shared/session/password.ts'
import { expired } from '../expiry/expired.ts'
import { signIn, storedLogin } from '../sign-in/sign-in.ts'

interface OwnPassword {
  readonly account: string
  readonly present: string
  readonly next: string
}

/**
 * Changes the user's own password. The server ends all sessions of the account, so this tab signs in again with the new
 * password. Throws ApiError if the change is refused. If only the sign-in fails, the dialog of an expired session signs in
 * with the new password, which is stored for it.
 */
export async function changeOwnPassword({ account, present, next }: OwnPassword): Promise<void> {
  const passwordHash = hashPassword(next)
  const input = { username: account, password: hashPassword(present), newPassword: passwordHash }
  try {
    await call(changePassword, input, { quiet: true })
  } catch (error) {
    throw toUserFailure(error, (info) => i18n.t('failure.reason', { account, info }))
  }
  storedLogin.keep({ account, passwordHash })
  try {
    await signIn(account, passwordHash, { as: 'renew' })
    // A call that failed in the meantime has opened the dialog.
    expired.markRenewed()
  } catch (error) {
    console.warn('the session could not be opened again after the change of the password', error)
  }
}
