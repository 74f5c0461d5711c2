import type { AlarmLogEntry } from '@isotherm/contract/alarms/alarms'
import { expect, test } from 'vitest'
import { NOW } from '../../../shared/devices/valve-samples.testkit.ts'
import { toAlarmMarks } from './alarm-marks.ts'

const entry = (event: AlarmLogEntry['event'], at: number): AlarmLogEntry => ({
  id: at,
  at,
  event,
  account: '',
  detail: '',
  alarmId: 3,
  kind: 'battery-low',
  severity: 'minor',
  node: '9',
  nestaddr: '集团,公司',
  deviceId: 1,
})
const span = { from: NOW, to: NOW + 10 }

test('only log entries that begin or end an alarm inside the half-open span become marks', () => {
  const entries = [
    entry('withdrawn', NOW + 10),
    entry('cleared', NOW + 5),
    entry('acknowledged', NOW + 4),
    entry('returned', NOW + 3),
    entry('raised', NOW),
    entry('raised', NOW - 1),
  ]
  expect(toAlarmMarks(entries, span, ({ event }) => event)).toEqual([
    { at: NOW + 5, isBegin: false, text: 'cleared' },
    { at: NOW + 3, isBegin: true, text: 'returned' },
    { at: NOW, isBegin: true, text: 'raised' },
  ])
})
