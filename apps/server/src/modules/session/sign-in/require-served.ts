import { AppError } from '../../../platform/app-error.ts'
import type { AccountRow } from '../queries.pg.ts'

/** Returns the account. Throws company.elsewhere if another server serves its company. */
export function requireServed<Account extends Pick<AccountRow, 'isServed'>>(account: Account): Account {
  if (!account.isServed) throw new AppError('company.elsewhere')
  return account
}
