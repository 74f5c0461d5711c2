import { alarmTextsEn } from '@isotherm/contract/locales/alarms.en'
import { match } from '../../../shared/i18n/match.ts'
import { en as menu } from './en.ts'
import type { zh } from './pages.zh.ts'

export const en = match<typeof zh>()({
  ...menu,
  valves: { emptyHint: 'Add a valve, or import a workbook' },
  meters: { emptyHint: 'Add a heat meter, or import a workbook' },
  rooms: { emptyHint: 'Add a room sensor, or import a workbook' },
  gateways: { emptyHint: 'Add a concentrator or a station controller, or import a workbook' },
  search: 'Name, serial, IMEI, meter number',
  column: {
    place: 'Place',
    name: 'Name',
    kind: 'Kind',
    serial: 'Serial',
    imei: 'IMEI',
    meterNo: 'Meter number',
    model: 'Model',
    curve: 'Flow characteristic',
    state: 'State',
    seen: 'Last report',
    battery: 'Battery',
    signal: 'Signal',
    problems: 'Problems',
    concentrator: 'Concentrator',
    firmware: 'Firmware',
  },
  state: {
    present: 'Online',
    silent: 'Offline',
    unknown: 'Unknown',
    never: 'Never reported',
    battery: 'Battery low',
    retired: 'Retired',
  },
  filter: { finding: 'Suspect data', anyFinding: 'Any finding' },
  retired: 'Retired',
  ownLink: 'own link',
  since: 'since {{since}}',
  value: '{{value}} at that time',
  alarm: alarmTextsEn.kinds,
})
