import { match } from '../../../shared/i18n/match.ts'
import type { apiKeysZh } from './api-keys.zh.ts'

export const apiKeysEn = match<typeof apiKeysZh>()({
  views: { interfaces: 'Interfaces', keys: 'API keys', backups: 'Backups' },
  view: 'Show',
  search: 'Name, user, start',
  add: 'Add key',
  title: 'Key {{name}}',
  name: 'Name',
  nameHint: 'The program that uses it; the operation log shows it after the address',
  start: 'Starts with',
  account: 'User',
  permissions: 'Permissions',
  permissionsHint:
    'Only your own; a key cannot administer users or the system. “Send readings” alone is enough for a program that sends readings of gateways over HTTP',
  access: 'Effect',
  readOnly: 'Read only',
  readOnlyHint:
    'Without it the program can also change data and send commands; sending readings does not need that',
  changes: 'Reads and changes',
  nodes: 'Restricted to nodes',
  nodesHint: 'Without any it is your whole access; a key never has more access than you have at that moment',
  everything: 'Whole access of the user',
  perMinute: 'Calls per minute',
  perMinuteUnit: 'calls',
  createdAt: 'Created',
  expiresAt: 'Expires',
  expiresHint: 'At most {{days}} days',
  expired: 'Expired',
  lastUsedAt: 'Last used',
  unused: 'Never used',
  delete: 'Delete',
  deleteQuestion: 'Delete keys: {{count}}? Programs that use them can no longer call anything.',
  shown: 'Copy the key now',
  shownHint:
    'The key is shown only this once; the server stores only a hash. If it is lost, delete it and add another one.',
  howTo: 'First backend: header token; second backend: header Authorization: Bearer',
  copy: 'Copy',
  copied: 'Copied',
  done: 'I have stored the key',
})
