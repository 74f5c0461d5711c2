import type { PasswordRules } from '@isotherm/contract/access/password-rules'
import { DAY_MS } from '@isotherm/kernel/durations'
import type { PasswordState } from '../sign-in/is-given-ended.ts'

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
