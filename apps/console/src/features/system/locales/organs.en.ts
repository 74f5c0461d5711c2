import { match } from '../../../shared/i18n/match.ts'
import type { organsZh } from './organs.zh.ts'

export const organsEn = match<typeof organsZh>()({
  search: 'Name, description',
  add: 'Add organisation',
  edit: 'Organisation {{name}}',
  name: 'Name',
  above: 'Part of',
  aboveHint: 'Without one it belongs to the company directly',
  company: 'Company',
  description: 'Description',
  accounts: 'Users',
  parts: 'Parts',
  delete: 'Delete',
  deleteQuestion:
    'Delete organisations: {{count}}? They have neither users nor parts, so nothing else changes.',
  touches: 'Users: {{accounts}}, parts: {{parts}}. It can be deleted after all of them have moved elsewhere.',
  empty: 'It has neither users nor parts; select it in the list to delete it.',
  noCompany: 'There is no company yet; add one on the home page first.',
  saved: 'Organisation “{{name}}” saved',
})
