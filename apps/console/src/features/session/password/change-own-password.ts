import { hashPassword } from '../../../shared/session/password.ts'
import { expired } from '../expiry/expired.ts'
import { signIn, storedLogin } from '../sign-in/sign-in.ts'
import { type OwnPassword, replacePassword } from './replace-password.ts'

/**
 * Changes the user's own password. The server ends all sessions of the account, so this tab signs in again with the new
 * password. Throws ApiError if the change is refused. If only the sign-in fails, the dialog of an expired session signs in
 * with the new password, which is stored for it.
 */
export async function changeOwnPassword(given: OwnPassword): Promise<void> {
  const { account, next } = given
  await replacePassword(given)
  const passwordHash = hashPassword(next)
  storedLogin.store({ account, passwordHash })
  try {
    await signIn(account, passwordHash, { as: 'renew' })
    // A call that failed in the meantime has opened the dialog.
    expired.markRenewed()
  } catch (error) {
    console.warn('the session could not be opened again after the change of the password', error)
  }
}
