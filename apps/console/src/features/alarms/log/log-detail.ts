import type { AlarmLogEntry } from '@isotherm/contract/alarms'
import type { Format } from '../../../shared/format/use-format.ts'
import { toValueText } from '../parts/alarm-value.ts'

/**
 * What an entry says beside its event: of one that was raised the value with its unit, of one that is kept behind
 * another the number of that, of others what was written.
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
