import type { PasswordRules } from '@isotherm/contract/access/password-rules'
import { DAY_MS } from '@isotherm/kernel/durations'

/** When and by whom a password was set. */
export interface PasswordState {
  readonly passwordSetAt: Date
  readonly passwordGiven: boolean
  /** The password of a demo account is public and never expires. */
  readonly isDemo: boolean
}

/**
 * Whether a password that an administrator gave has ended because its user has not changed it, so that only an administrator can give another: who finds it
 * later in a mail must not be able to change it.
 */
export const isGivenEnded = (
  { passwordSetAt, passwordGiven, isDemo }: PasswordState,
  { givenDays }: Pick<PasswordRules, 'givenDays'>,
  now: number,
): boolean => passwordGiven && !isDemo && givenDays > 0 && now - passwordSetAt.getTime() > givenDays * DAY_MS
