import { type AlarmKind, alarmKindDefinition } from '@isotherm/contract/alarms/alarm-kinds'
import { metrics } from '@isotherm/contract/metrics'
import { withUnit } from '../../../shared/format/numbers.ts'
import type { Format } from '../../../shared/format/use-format.ts'

/** Unit of the value of a kind; undefined for kinds without a value. */
export function findUnit(kind: AlarmKind): string | undefined {
  const { source } = alarmKindDefinition(kind)
  if (source.from === 'metric') return metrics[source.metric].unit
  return source.from === 'gap' || source.from === 'subtree' ? '%' : undefined
}

/** The value with its unit; undefined without a value or unit. */
export function toValueText(kind: AlarmKind, value: number | undefined, format: Format): string | undefined {
  const { source } = alarmKindDefinition(kind)
  if (value === undefined || findUnit(kind) === undefined) return undefined
  if (source.from === 'metric') return format.metric(source.metric, value)
  return withUnit(format.number(value, source.from === 'gap' ? 1 : 0), '%')
}
