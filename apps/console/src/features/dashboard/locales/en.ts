import { match } from '../../../shared/i18n/match.ts'
import type { zh } from './zh.ts'

export const en = match<typeof zh>()({
  title: 'Home',
  tile: {
    stations: 'Heat stations',
    valves: 'Valves',
    returns: 'Return temperatures',
    rooms: 'Rooms',
    heat: 'Heat meters',
    commands: 'Latest commands',
    alarms: 'Open alarms',
  },
  figure: {
    online: 'Online',
    stale: 'Stale',
    total: 'Total',
    meanReturn: 'Mean return',
    spread: 'Spread σ',
    range: 'P95–P5',
    warmShare: 'At least {{limit}}',
    median: 'Median room',
    power: 'Total heat',
    unacknowledged: '{{count}} not acknowledged',
    reporting: '{{online}} of {{total}} online',
  },
  station: {
    name: 'Station',
    none: 'There is no heat station in the selection',
    more: '{{count}} more: choose a smaller part of the tree to see them',
  },
  bin: '{{from}} – {{to}}: {{count}}',
  open: 'Open',
  noCommands: 'No commands yet',
  noReadings: 'No current readings yet',
  noDevices: 'There are no devices in the selection',
  welcome: {
    title: 'Hello, {{name}}',
    hint: 'You are signed in. What you can use is in the menu above; if something is missing, ask your administrator.',
    permitted: 'Permitted modules',
    none: 'No modules are permitted yet',
  },
})
