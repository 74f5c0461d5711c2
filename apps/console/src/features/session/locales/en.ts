import { match } from '../../../shared/i18n/match.ts'
import type { zh } from './zh.ts'

export const en = match<typeof zh>()({
  login: {
    lead: 'Watching and balancing secondary heating networks',
    account: 'Account',
    password: 'Password',
    submit: 'Log in',
    accountRequired: 'Enter your account',
    accountTooLong: 'An account has 64 characters at most',
    passwordRequired: 'Enter your password',
    showPassword: 'Show the password',
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
      'Logged out here, but the server could not be told; it will be told when it is back, and the session ends by itself within two hours',
  },
  frame: { signingIn: 'Signing in as {{account}}' },
})
