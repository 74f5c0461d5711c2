import { match } from '../../../shared/i18n/match.ts'
import type { zh } from './zh.ts'

export const en = match<typeof zh>()({
  root: 'Secondary network platform',
  search: 'Enter a keyword',
  loading: 'Loading .....',
  noMatch: 'No node matches',
  reload: 'Load the current node again',
  clear: 'Clear the selection',
  label: 'Network levels',
  checkedCount: '{{count}}: {{names}}',
  groupsFailed: 'The groups could not be loaded',
  addressesFailed: 'The sub-users’ addresses could not be loaded',
  subUsersFailed: 'The sub-users could not be loaded',
  addressLevel: 'address',
  level: {
    root: 'platform',
    group: 'group',
    company: 'company',
    area: 'area',
    station: 'heat station',
    residentialArea: 'residential area',
    building: 'building',
    unit: 'unit',
    household: 'household',
  },
})
