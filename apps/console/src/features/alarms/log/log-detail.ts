import type { AlarmLogEntry } from '@isotherm/contract/alarms/alarms'
import type { Format } from '../../../shared/format/use-format.ts'
import { toValueText } from '../parts/alarm-value.ts'

/**
 * The detail of a log entry: the value with unit for a raised alarm, the number of the other alarm for a suppressed one,
 * the written text for others.
 */
export function toDetailText(
  { kind, event, detail }: Pick<AlarmLogEntry, 'kind' | 'event' | 'detail'>,
  format: Format,
): string {
  if (event === 'suppressed' && detail !== '') return `#${detail}`
  if ((event !== 'raised' && event !== 'returned') || detail === '') return detail
  const value = Number(detail)
  return (Number.isFinite(value) ? toValueText(kind, value, format) : undefined) ?? ''
}
