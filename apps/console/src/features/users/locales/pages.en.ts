import { match } from '../../../shared/i18n/match.ts'
import { en as menu } from './en.ts'
import type { zh } from './pages.zh.ts'

export const en = match<typeof zh>()({
  ...menu,
  search: 'Account, name, telephone',
  register: 'Register user',
  emptyHint: 'Register a user to give a colleague an account, roles and access.',
  onlyProvider: 'Provider users are managed by the provider; your account cannot see them.',
  account: 'Account',
  accountHint: 'Used to log in; cannot be changed later',
  accountWrong: '1 to 64 letters, digits or . _ @ -',
  name: 'Name',
  nameWrong: 'No spaces at the start or end',
  tel: 'Telephone',
  telWrong: '5 to 20 digits, may start with +',
  company: 'Company',
  organisation: 'Organisation',
  parent: 'Parent account',
  parentHint: 'A sub-account has no roles or access beyond its parent account',
  roles: 'Roles',
  seesAll: 'Sees everything',
  seesAllHint: 'Sees all nodes of all companies without grants',
  createdAt: 'Registered',
  save: 'Save',
  readOnly: 'You cannot change this user: their access exceeds yours.',
  state: { label: 'State', enabled: 'Enabled', disabled: 'Disabled' },
  tabs: {
    account: 'Account',
    grants: 'Access',
    subAccounts: 'Sub-accounts {{count}}',
    menu: 'Menu',
    sessions: 'Sessions',
    password: 'Password',
  },
  code: {
    label: 'Verification code',
    send: 'Send code',
    sent: 'Code sent, valid until {{time}}',
    wrong: 'The code has 6 digits',
    notConfigured: 'No SMS gateway is configured: no code is sent, the number is not verified',
  },
  password: {
    label: 'Password',
    new: 'New password',
    hint: 'At least 10 characters; no common password and not the account name',
    generate: 'Generate',
    reset: 'Reset password',
    touches: 'The user must log in again with the new password. Hand it over and ask them to change it.',
  },
  enable: { label: 'Enable', bulkQuestion: 'Enable users: {{count}}? They can then log in.' },
  disable: {
    label: 'Disable',
    question: 'Disable {{account}}?',
    touches:
      'Sessions of the user and of sub-accounts ({{subAccounts}}) end now. They cannot log in until enabled.',
    bulkQuestion:
      'Disable users: {{count}}? Their sessions and those of sub-accounts ({{subAccounts}}) end now. They cannot log in until enabled.',
  },
  delete: {
    label: 'Delete',
    question: 'Delete {{account}}?',
    touches:
      'Also deletes grants, sessions and sub-accounts ({{subAccounts}}); the operation log stays. Cannot be undone.',
    bulkQuestion:
      'Delete users: {{count}}? Also deletes their grants, sessions and sub-accounts ({{subAccounts}}); the operation log stays. Cannot be undone.',
  },
  grants: {
    label: 'Nodes to grant',
    newHint:
      'Find nodes by name, or check them in the tree before you register. Everything below a node is included, now and later.',
    hint: 'Check nodes in the tree, or find them by name. Everything below a node is included, now and later.',
    add: 'Grant',
    remove: 'Remove grant',
    removeOne: 'Remove grant: {{place}}',
    removeQuestion: 'Remove this grant of {{account}}?',
    removeTouches: 'Sub-accounts lose it as well.',
    none: 'No grants',
    noneHint: 'The user sees no nodes after logging in.',
    more: 'Not listed: {{count}}',
    seesAll: 'The user sees all nodes without grants.',
  },
  subAccounts: {
    none: 'No sub-accounts',
    noneHint: 'A sub-account has no roles or access beyond this user.',
    add: 'Register sub-account',
  },
  sessions: {
    none: 'No sessions',
    since: 'Logged in {{time}} from {{address}}',
    until: 'Expires {{time}}',
    this: 'This session',
    end: 'End session',
    endAll: 'End all other sessions ({{count}})',
  },
})
