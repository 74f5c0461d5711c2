import { match } from '../../../shared/i18n/match.ts'
import type { zh } from './zh.ts'

export const en = match<typeof zh>()({
  login: {
    lead: 'Monitoring and balancing of secondary heating networks',
    account: 'Account',
    password: 'Password',
    submit: 'Log in',
    accountRequired: 'Enter your account',
    accountTooLong: 'An account has at most 64 characters',
    passwordRequired: 'Enter your password',
    showPassword: 'Show password',
    capsLock: 'Caps lock is on',
    wait: 'Try again in {{seconds}} s',
  },
  expired: {
    title: 'Session expired',
    text: 'User info has expired, please log in again',
    confirm: 'Re-Login',
    cancel: 'Cancel',
  },
  logout: {
    untold:
      'Logged out on this device. The server could not be reached; it will be notified later, and the session ends within two hours',
  },
  password: {
    title: 'Change password',
    present: 'Present password',
    next: 'New password',
    repeated: 'New password again',
    hint: 'At least 10 characters; no common password and not the account name',
    differs: 'The two new passwords differ',
    touches: 'Sessions of this account on other devices end at once.',
  },
  frame: { signingIn: 'Logging in as {{account}}' },
})
