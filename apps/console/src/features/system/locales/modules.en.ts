import { match } from '../../../shared/i18n/match.ts'
import type { modulesZh } from './modules.zh.ts'

export const modulesEn = match<typeof modulesZh>()({
  search: 'Name, permission value',
  add: 'Add module',
  edit: 'Module {{name}}',
  name: 'Name',
  nameHint:
    'Menu, breadcrumb, tabs and search follow a new name; with the name of a new installation they follow the language',
  group: 'Group',
  groupHint: 'Without one it is a group of the menu, or a link at the top',
  url: 'Permission value or URL',
  urlHint:
    'A group has a permission value (a letter first, then letters, digits, hyphens); an external page has an address with http, https, mailto or tel',
  urlWrong: 'Must be a permission value, or an address with http://, https://, mailto: or tel:',
  icon: 'Icon',
  iconHint: 'Address of an icon; without one the page has its own',
  sort: 'Order',
  sortHint: 'Ascending',
  enabled: 'Enabled',
  disabled: 'Disabled',
  state: 'State',
  builtIn: 'Type',
  builtInYes: 'Built-in',
  builtInNo: 'Added',
  enable: 'Enable',
  disable: 'Disable',
  delete: 'Delete',
  enableQuestion: 'Enable modules: {{count}}? The roles that have them can use them at once.',
  disableQuestion: 'Disable modules: {{count}}? Nobody can open these pages until they are enabled again.',
  deleteQuestion:
    'Delete modules: {{count}}? They are removed from every role. A group that still has pages is not deleted.',
  saved: 'Module “{{name}}” saved',
})
