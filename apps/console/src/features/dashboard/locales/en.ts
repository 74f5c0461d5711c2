import { campaignTextsEn } from '@isotherm/contract/locales/campaigns.en'
import { match } from '../../../shared/i18n/match.ts'
import type { zh } from './zh.ts'

export const en = match<typeof zh>()({
  title: 'Home',
  tile: {
    stations: 'Heat stations',
    valves: 'Valves',
    returns: 'Return temperatures',
    rooms: 'Room temperatures',
    heat: 'Heat meters',
    commands: 'Latest commands',
    alarms: 'Open alarms',
    campaigns: 'Balances in progress',
    findings: 'Devices with implausible readings',
  },
  figure: {
    online: 'Online',
    offline: 'Offline',
    unknown: 'Unknown',
    total: 'Total',
    meanReturn: 'Mean return temperature',
    spread: 'Std dev σ',
    range: 'P95–P5',
    warmShare: 'Pass rate ≥ {{limit}}',
    median: 'Median room temperature',
    power: 'Total heat output',
    unacknowledged: 'unacknowledged: {{count}}',
    reporting: '{{online}} of {{total}} online',
    findings: 'Findings: {{count}}',
  },
  station: {
    name: 'Station',
    none: 'No heat station in the selection',
    more: 'More stations: {{count}}. Select a smaller part of the tree to see them',
  },
  bin: '{{from}} – {{to}}: {{count}}',
  open: 'Open',
  noCommands: 'No commands yet',
  campaign: {
    kind: { temperature: 'Temperature', sequence: 'Time sequence', energy: 'Energy', flow: 'Flow' },
    state: campaignTextsEn.states,
    moved: '{{moved}} of {{moves}} moved',
  },
  noFindings: 'No devices with implausible readings',
  noReadings: 'No current readings yet',
  noDevices: 'No devices in the selection',
  setup: {
    title: 'Getting started',
    progress: 'Done: {{done}} of {{total}}',
    done: 'Done',
    missing: 'To do',
    root: 'Secondary network',
    import: 'Import workbook',
    step: {
      company: 'Company',
      structure: 'Network structure',
      devices: 'Devices',
      concentrators: 'Concentrators',
      reading: 'First reading',
      colleagues: 'Colleagues',
    },
    hint: {
      company: 'Enter the name of the heating company, its name in MQTT and its time zone.',
      structure:
        'Import a workbook, or add the group, then heat stations, residential areas, buildings, units and households in the menu of each tree node.',
      devices: 'Register valves, room sensors and heat meters on their units or households.',
      concentrators:
        'Register the concentrators, and enter the credentials from their details on site. Devices with their own link need none.',
      reading:
        'It appears when a device connects. If not, device debugging shows received messages and why they were refused.',
      colleagues: 'Add accounts for your colleagues with roles and access.',
    },
    open: {
      company: 'Add company',
      structure: 'Add group',
      devices: 'Register devices',
      concentrators: 'Register concentrators',
      reading: 'View devices',
      colleagues: 'Add users',
    },
  },
  company: {
    add: 'Add company',
    name: 'Company name',
    tenant: 'Name in MQTT',
    tenantHint: 'Part of the MQTT topics of the devices; cannot be changed later',
    wrongTenant: 'Letters, digits, underscores, dots and hyphens, at most 64',
    timeZone: 'Time zone',
  },
  backups: {
    none: 'There is no backup: if the server breaks, all data is lost',
    late: 'Last whole backup: {{age}}; there should be one every day',
    failed: 'The last backup failed',
  },
  welcome: {
    title: 'Hello, {{name}}',
    hint: 'You are logged in. Your functions are in the menu above. If one is missing, ask your administrator.',
    permitted: 'Permitted modules',
    none: 'No modules are permitted yet',
  },
})
