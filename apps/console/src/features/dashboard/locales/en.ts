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
  },
  station: {
    name: 'Station',
    none: 'No heat station in the selection',
    more: 'More stations: {{count}}. Select a smaller part of the tree to see them',
  },
  bin: '{{from}} – {{to}}: {{count}}',
  open: 'Open',
  noCommands: 'No commands yet',
  noReadings: 'No current readings yet',
  noDevices: 'No devices in the selection',
  welcome: {
    title: 'Hello, {{name}}',
    hint: 'You are logged in. Your functions are in the menu above. If one is missing, ask your administrator.',
    permitted: 'Permitted modules',
    none: 'No modules are permitted yet',
  },
})
