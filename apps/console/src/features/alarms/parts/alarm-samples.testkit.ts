import type { Alarm } from '@isotherm/contract/alarms/alarms'

/** An active alarm of a cold room, without abilities. */
export const sampleAlarm = (over: Partial<Alarm> = {}): Alarm => ({
  id: 1,
  kind: 'room-cold',
  severity: 'minor',
  state: 'active',
  node: '4',
  nestaddr: '集团,公司,东苑',
  raisedAt: 0,
  occurrences: 1,
  comment: '',
  version: 1,
  abilities: [],
  ...over,
})
