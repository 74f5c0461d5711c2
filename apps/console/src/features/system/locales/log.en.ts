import { match } from '../../../shared/i18n/match.ts'
import type { logZh } from './log.zh.ts'

export const logEn = match<typeof logZh>()({
  search: 'Content: input, values before and after',
  range: 'Time range',
  preset: { '24h': '24 hours', '7d': '7 days', '30d': '30 days', '365d': '1 year' },
  kind: 'Kind',
  kinds: { changes: 'Operations', visits: 'Visits and exports', all: 'All' },
  account: 'User',
  node: 'Node and below',
  operation: 'Operation',
  name: 'Name of the call',
  result: 'Result',
  ok: 'Successful',
  failed: 'Failed',
  at: 'Time',
  from: 'Address',
  request: 'Request',
  changed: 'Changed',
  changedCount: '{{entity}}: {{count}}',
  moreCount: '{{text}} and more',
  input: 'Input',
  changes: 'Before and after',
  action: { added: 'Added', changed: 'Changed', removed: 'Removed' },
  noChanges: 'No data were changed',
  moreChanges: 'The first {{count}} changes are shown',
  partial: 'This operation also concerns things outside your access; only the part that you can see is shown',
  entry: '{{name}} · {{time}}',
  system: 'System',
  visit: 'Page visit: {{title}}',
  export: 'Exported list: {{title}}',
  incomplete:
    'Too many results: only entries since {{time}} were searched. Choose a shorter range or further conditions',
  stuck: 'The search is too slow to export every entry. Choose a shorter range or further conditions',
  retention: 'Entries are stored permanently and can be neither changed nor deleted',
  retentionDays:
    'Entries are stored for {{count}} days and can be neither changed nor deleted before; then the server deletes them',
})
