/** Typed account and password. */
export interface LoginFields {
  readonly account: string
  readonly password: string
}

/** Text keys of the faults, by field. */
export interface LoginFaults {
  readonly account?: 'login.accountRequired' | 'login.accountTooLong'
  readonly password?: 'login.passwordRequired'
}

const LONGEST_ACCOUNT = 64

/** Faults of the fields. The account is trimmed first. */
export function findLoginFaults({ account, password }: LoginFields): LoginFaults {
  const { length } = account.trim()
  return {
    ...(length === 0 ? { account: 'login.accountRequired' } : {}),
    ...(length > LONGEST_ACCOUNT ? { account: 'login.accountTooLong' } : {}),
    ...(password === '' ? { password: 'login.passwordRequired' } : {}),
  }
}
