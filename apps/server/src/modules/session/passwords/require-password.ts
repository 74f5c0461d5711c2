import { countKinds, type PasswordRules, toPasswordLength } from '@isotherm/contract/access/password-rules'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isPassword, toClientHash } from '../sign-in/passwords.ts'
import { isCommonPassword } from './common-passwords.ts'
import { listEarlierHashes } from './password-history.pg.ts'
import { readPasswordRules } from './password-policies.pg.ts'

/** A new password: the hash that the client will sign in with, and the text it belongs to. */
export interface NewPassword {
  readonly hash: string
  readonly text: string
}

/** The account that gets the password. */
export interface PasswordOwner {
  /** Compares with earlier passwords. Absent unless the owner, who knows the present one, sets the password. */
  readonly id?: number
  readonly account: string
  /** null for provider staff. */
  readonly companyId: number | null
}

/** Shorter names occur in words by chance. */
const MIN_NAME_LENGTH = 3

function hasAccount(text: string, account: string): boolean {
  const [lower, name] = [text.toLowerCase(), account.toLowerCase()]
  if (name.length >= MIN_NAME_LENGTH) return lower.includes(name)
  return lower.replace(/[^\p{L}]+$/u, '').replaceAll(name, '') === ''
}

/** Throws the error of the first rule that a text breaks, except those about earlier passwords. */
export function requireRules(rules: PasswordRules, account: string, text: string): void {
  const { minLength, minKinds } = rules
  if (toPasswordLength(text) < minLength) throw new AppError('password.too-short', { minLength })
  if (countKinds(text) < minKinds) throw new AppError('password.few-kinds', { minKinds })
  if (hasAccount(text, account)) throw new AppError('password.has-account')
  if (isCommonPassword(text)) throw new AppError('account.weak-password')
}

/** Throws unless the account may get the password. Run it wherever a password is set. */
export async function requirePassword(
  db: Database,
  { id, account, companyId }: PasswordOwner,
  { hash, text }: NewPassword,
): Promise<void> {
  if (toClientHash(text) !== hash) throw new AppError('password.not-its-hash')
  const rules = await readPasswordRules(db, companyId)
  requireRules(rules, account, text)
  const { history } = rules
  if (id === undefined || history === 0) return
  for (const earlier of await listEarlierHashes(db, id, history)) {
    if (await isPassword(earlier, hash)) throw new AppError('password.used-before', { history })
  }
}
