import { toUserFailure } from '../../shared/api/user-failure.ts'
import { i18n } from '../../shared/i18n/i18n.ts'

/**
 * Waits for an operation on an account. A refusal gets the text of section 8 of the specification, '{account} failure
 * reason: {info}'.
 */
export async function forAccount<Result>(account: string, operation: Promise<Result>): Promise<Result> {
  try {
    return await operation
  } catch (error) {
    throw toUserFailure(error, (info) => i18n.t('failure.reason', { account, info }))
  }
}
