import { match } from '../../../shared/i18n/match.ts'
import { en as menu } from './en.ts'
import type { zh } from './pages.zh.ts'

export const en = match<typeof zh>()({
  ...menu,
  list: {
    search: 'Name, description',
    add: 'Add group',
    edit: 'Group {{name}}',
    name: 'Name',
    description: 'Description',
    devices: 'Devices',
    valves: 'Valves in use',
    members: 'Members',
    saved: 'Group "{{name}}" saved',
    delete: 'Delete',
    deleteQuestion: 'Delete groups: {{count}}? Their devices ({{devices}}) stay as they are.',
    none: 'A group is any set of devices across the tree, for example "inlet valves facing north".',
    control: 'Control this group',
    partly: 'The group has devices outside your access, so you can only view it.',
  },
  source: {
    search: 'Search',
    node: 'By tree node',
    serials: 'By list of serials',
    subAccount: 'By sub-account',
  },
  members: {
    label: 'Members',
    count: 'Members: {{count}}, valves in use: {{valves}}',
    remove: 'Remove {{name}}',
    clear: 'Remove all',
    retired: 'Retired',
    again: 'Retry',
  },
  search: {
    placeholder: 'Device name, serial, IMEI or meter number',
    hint: 'Enter a part of the name or serial',
    none: 'No device found',
  },
  node: {
    place: 'Tree node',
    kinds: 'Device kinds',
    allKinds: 'All kinds',
    add: 'Add devices: {{count}}',
    tooMany: '{{total}} devices; a group has at most {{max}}. Choose a smaller node.',
  },
  serials: {
    label: 'Serials',
    placeholder: 'One serial per line, or drop a txt or csv file here',
    file: 'Choose file',
    add: 'Find and add (serials: {{count}})',
    result: 'Found and added: {{count}} of {{total}} serials',
    unknown: 'Serials not found, or outside your access: {{count}}',
    retired: 'Retired devices, not added: {{count}}',
    ambiguous: 'Serials that exist in several companies: {{count}}. Add these devices by search.',
    tooMany: '{{total}} serials; a group has at most {{max}} devices',
  },
  subAccount: {
    placeholder: 'Choose a sub-account to add the devices it can see',
    none: 'No sub-accounts',
    option: '{{account}} {{name}} (devices: {{count}})',
  },
})
