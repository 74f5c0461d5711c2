import { alarmKindNames, alarmSeverity } from '@isotherm/contract/alarms/alarm-kinds'
import { type Alarm, alarmState } from '@isotherm/contract/alarms/alarms'
import type { SortKey } from '../filter/alarms-url.ts'

const collator = new Intl.Collator('zh-CN', { numeric: true })

/** The sort value of an alarm. Undefined sorts last in both directions. */
function toRank(alarm: Alarm, key: Exclude<SortKey, 'worst' | 'place'>): number | undefined {
  switch (key) {
    case 'severity':
      return alarmSeverity.options.indexOf(alarm.severity)
    case 'kind':
      return alarmKindNames.indexOf(alarm.kind)
    case 'value':
      return alarm.value
    case 'raised':
      return -alarm.raisedAt
    case 'state':
      return alarmState.options.indexOf(alarm.state)
  }
}

/** The alarms, sorted. Equal alarms keep the order of the server: most severe and newest first. */
export function sortAlarms(alarms: readonly Alarm[], key: SortKey, descending: boolean): readonly Alarm[] {
  const sign = descending ? -1 : 1
  if (key === 'worst') return alarms
  if (key === 'place') return alarms.toSorted((a, b) => sign * collator.compare(a.nestaddr, b.nestaddr))
  return alarms.toSorted((a, b) => {
    const [first, second] = [toRank(a, key), toRank(b, key)]
    if (first === undefined || second === undefined)
      return Number(first === undefined) - Number(second === undefined)
    return sign * (first - second)
  })
}
