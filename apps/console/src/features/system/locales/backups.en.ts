import { match } from '../../../shared/i18n/match.ts'
import type { backupsZh } from './backups.zh.ts'

export const backupsEn = match<typeof backupsZh>()({
  search: 'Name, fault',
  startedAt: 'Started',
  state: 'State',
  states: { running: 'Running', whole: 'Whole', failed: 'Failed', interrupted: 'Interrupted' },
  duration: 'Duration',
  seconds: '{{value}} s',
  minutes: '{{value}} min',
  bytes: 'Size',
  rows: 'Rows',
  checked: 'Check',
  checkedYes: 'Read again, rows counted',
  checkedNo: 'Not checked',
  encrypted: 'Encryption',
  encryptedYes: 'Encrypted',
  encryptedNo: 'Not encrypted',
  fault: 'Why it failed',
  name: 'Folder',
  future: 'Dated in the future: a clock was or is wrong; it does not count as the last backup',
  interrupted: 'The backup was ended before it was whole',
  title: 'Backup of {{at}}',
  alarm: {
    none: 'There is no backup yet',
    late: 'Last whole backup: {{age}}',
    failed: 'The last backup failed',
  },
  alarmHint: {
    none: 'If the server breaks, all data is lost. Set ISOTHERM_BACKUP_FOLDER, or run isotherm backup.',
    late: 'There should be one every day. See the log of the service, or run isotherm doctor.',
    failed: 'The list shows the reason. It is tried again every 15 minutes.',
  },
  notReadable: 'A backup contains the data of all companies; only provider staff can see it',
  versions: 'Program versions: {{list}}',
  versionSince: '{{version}} (since {{at}})',
  empty: 'With ISOTHERM_BACKUP_FOLDER the server makes one every day',
})
