import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { PublicCall } from '../../../platform/http/call.ts'
import type { AccountRow, SessionQueries } from '../queries.pg.ts'
import type { LoginAttempt, LoginAttempts } from './attempts.pg.ts'
import { isGivenEnded } from './is-given-ended.ts'
import { isPassword } from './passwords.ts'
import { requireServed } from './require-served.ts'

export interface Credentials {
  readonly username: string
  /** SHA-256 of the password in hex. */
  readonly password: string
}

/**
 * An account with the right password. The attempt counts as failed until the caller marks it as succeeded or
 * forgiven.
 */
export interface CheckedPassword {
  readonly account: AccountRow
  readonly attempt: LoginAttempt
}

export type PasswordCheck = (credentials: Credentials, call: PublicCall) => Promise<CheckedPassword>

interface CheckParts {
  readonly queries: Pick<SessionQueries, 'findAccount' | 'readPasswordRules'>
  readonly clock: Pick<Clock, 'now'>
  readonly attempts: LoginAttempts
}

/**
 * Creates the check of a password. The operation log gets the account name as soon as the account is found, and the account
 * id after the right password. Throws session.bad-credentials, session.slowed, session.disabled, session.given-ended and
 * company.elsewhere.
 */
export const createPasswordCheck =
  ({ queries, attempts, clock }: CheckParts): PasswordCheck =>
  async ({ username, password }, { address, operation }) => {
    const name = username.trim()
    const [attempt, account] = await Promise.all([attempts.start(name, address), queries.findAccount(name)])
    if (account) operation.account = account.account
    if (!(await isPassword(account?.passwordHash, password)) || !account) {
      throw new AppError('session.bad-credentials')
    }
    operation.accountId = account.id
    operation.companyId = account.companyId ?? undefined
    if (account.enabled && account.isServed) {
      const rules = account.passwordGiven && (await queries.readPasswordRules(account))
      if (!rules || !isGivenEnded(account, rules, clock.now())) return { account, attempt }
    }
    await attempt.succeed()
    requireServed(account)
    throw new AppError(account.enabled ? 'session.given-ended' : 'session.disabled')
  }
