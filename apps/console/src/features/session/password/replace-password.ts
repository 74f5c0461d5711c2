import { changePassword } from '@isotherm/contract/endpoints/administration/user-access'
import { call } from '../../../shared/api/client.ts'
import { toUserFailure } from '../../../shared/api/user-failure.ts'
import { i18n } from '../../../shared/i18n/i18n.ts'
import { hashPassword } from '../../../shared/session/password.ts'

export interface OwnPassword {
  readonly account: string
  readonly present: string
  readonly next: string
  /** Code of the second factor, if the account has one. */
  readonly code?: string | undefined
}

/** Replaces the password of an account, given the present one. Throws ApiError with the text of section 8. */
export async function replacePassword({ account, present, next, code }: OwnPassword): Promise<void> {
  const input = {
    username: account,
    password: hashPassword(present),
    newPassword: hashPassword(next),
    newPasswordText: next,
    ...(code !== undefined && { code }),
  }
  try {
    await call(changePassword, input, { quiet: true })
  } catch (error) {
    throw toUserFailure(error, (info) => i18n.t('failure.reason', { account, info }))
  }
}
