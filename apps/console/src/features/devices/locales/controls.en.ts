import { match } from '../../../shared/i18n/match.ts'
import type { controlsZh, usesZh } from './controls.zh.ts'

/** Texts of what a valve or a station's controller controls. */
export const controlsEn = match<typeof controlsZh>()({
  title: 'What it controls',
  none: {
    valve:
      'Not stated: it counts as a heating valve at its place. State “Irrigation” for a valve that waters; it then takes no part in heat balancing and statistics.',
    station: 'Not stated: it runs the station at its place',
  },
  hint: {
    valve: 'A valve for irrigation takes no part in heat balancing and statistics',
    station: 'What the controller acts on',
  },
  purposeOf: 'Purpose',
  purpose: { supply: 'Supply', return: 'Return', bypass: 'Bypass', pump: 'Pump', irrigation: 'Irrigation' },
  node: 'Controlled node',
  enabled: 'Accepts commands: {{name}}',
  addAction: 'Add a purpose…',
  add: 'Add the purpose',
  added: '{{name}}: purpose added',
  remove: 'Remove',
  removeQuestion: 'Remove the purpose “{{purpose}}”?',
  removeMeans: 'The device and its data stay as they are',
})

/** Texts of what a device does for irrigation. */
export const usesEn = match<typeof usesZh>()({
  title: 'Used by irrigation',
  none: 'Not used yet: choose it in the settings of a source or a group on the page of irrigation',
  part: {
    valve: 'Valve of the group',
    master: 'Master valve',
    station: 'Controller of the pump house',
    meter: 'Flow meter',
    inlet: 'Pressure sensor before the pump',
    outlet: 'Pressure sensor after the pump',
    rain: 'Rain sensor',
    probe: 'Soil probe',
  },
})
