/** What somebody signs in with, as it was typed. */
export interface LoginFields {
  readonly account: string
  readonly password: string
}

/** Keys of the texts that say what is wrong, by field. */
export interface LoginFaults {
  readonly account?: 'login.accountRequired' | 'login.accountTooLong'
  readonly password?: 'login.passwordRequired'
}

const LONGEST_ACCOUNT = 64

/** What keeps fields from being sent; of the account counts what is between its blanks. */
export function findLoginFaults({ account, password }: LoginFields): LoginFaults {
  const { length } = account.trim()
  return {
    ...(length === 0 ? { account: 'login.accountRequired' } : {}),
    ...(length > LONGEST_ACCOUNT ? { account: 'login.accountTooLong' } : {}),
    ...(password === '' ? { password: 'login.passwordRequired' } : {}),
  }
}
