import { match } from '../../../shared/i18n/match.ts'
import { en as menu } from './en.ts'
import type { zh } from './pages.zh.ts'

export const en = match<typeof zh>()({
  ...menu,
  back: 'Back',
  contents: 'Contents',
  close: 'Close help',
  search: 'Search the manual',
  found: 'Places found: {{count}}',
  none: 'Nothing in the manual for “{{text}}”',
  version: 'Console version',
  ownLicence: 'Licence',
  health: 'State of the server',
  ready: 'Normal',
  notReady: 'Some services do not answer',
  unknown: 'The state of the server could not be read',
  check: {
    postgres: 'Database',
    clickhouse: 'History database',
    broker: 'MQTT broker',
    ingest: 'Data intake',
  },
  answers: '{{name}}: normal',
  fails: '{{name}}: no answer',
  licences: 'Licences of the packages used',
  column: { package: 'Package', version: 'Version', licence: 'Licence' },
})
