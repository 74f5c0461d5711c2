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
    back: 'Back to login',
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
    differs: 'The two new passwords differ',
    touches: 'Sessions of this account on other devices end at once.',
  },
  sessions: {
    title: 'My sessions',
    since: 'Logged in {{time}} from {{address}}',
    this: 'this one',
    others: 'Other sessions of this account',
    none: 'There are no other sessions of this account.',
    end: 'End the chosen sessions',
  },
  singleSignOn: { open: 'Log in with the company account', ending: 'Completing the sign-in' },
  factor: {
    title: 'Two-step sign-in',
    code: 'One-time code',
    codeHint: 'The 6 digits in your authenticator app, or a recovery code if the phone is lost',
    scan: 'Scan the code with an authenticator app (any app for TOTP), then enter the 6 digits it shows.',
    orType: 'Or type the key:',
    turnOn: 'Turn two-step sign-in on',
    turnOff: 'Turn two-step sign-in off',
    next: 'Next',
    why: 'When it is on, login needs the password and a code from an authenticator app on your phone.',
    isOn: 'It is on. Recovery codes left: {{count}}. Turning it off needs the password and a code.',
    isRequired:
      'It is on. Recovery codes left: {{count}}. Your role or the password policy requires it, so it cannot be turned off. If the phone is lost, ask an administrator.',
    store: 'Store the recovery codes in a safe place. They are shown only now, and each works once.',
    stored: 'Stored, continue',
    enrol: 'Your role or the password policy requires two-step sign-in. Set it up first.',
  },
  frame: { signingIn: 'Logging in as {{account}}' },
})
