import type { IrrigationSource } from '@isotherm/contract/irrigation'

/** A source without groups, programs and sensors, which the user may run. */
export const sampleSource = (over: Partial<IrrigationSource> = {}): IrrigationSource => ({
  id: 3,
  name: '泵房',
  version: 4,
  node: '9',
  nestaddr: '集团,苗圃,泵房',
  timeZone: 'Asia/Shanghai',
  capacityM3H: 14,
  leadS: 0,
  groupDelayS: 0,
  afterOutage: 'skip',
  groups: [],
  programs: [],
  candidates: [],
  stations: [],
  sensors: [],
  ownSensors: [],
  runs: [],
  next: [],
  usedTodayM3: 0,
  missed: [],
  openByHand: [],
  abilities: ['run'],
  ...over,
})
