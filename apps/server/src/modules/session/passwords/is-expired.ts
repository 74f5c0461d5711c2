import type { PasswordRules } from '@isotherm/contract/access/password-rules'
import { DAY_MS } from '@isotherm/kernel/durations'

/** When and by whom a password was set. */
export interface PasswordState {
  readonly passwordSetAt: Date
  readonly passwordGiven: boolean
  /** The password of a demo account is public and never expires. */
  readonly isDemo: boolean
}

/** Whether the user must change the password before anything else. */
export function isExpired(
  { passwordSetAt, passwordGiven, isDemo }: PasswordState,
  { maxAgeDays, mustChangeGiven }: Pick<PasswordRules, 'maxAgeDays' | 'mustChangeGiven'>,
  now: number,
): boolean {
  if (isDemo) return false
  if (passwordGiven && mustChangeGiven) return true
  return maxAgeDays > 0 && now - passwordSetAt.getTime() > maxAgeDays * DAY_MS
}
