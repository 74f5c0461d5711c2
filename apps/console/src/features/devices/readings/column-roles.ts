import type { MappedValue, ReadingMapping } from '@isotherm/contract/endpoints/devices/reading-mapping'
import { isMetricName, type MetricName } from '@isotherm/contract/metrics'
import { listUnits } from '@isotherm/profiles/convert-units'

/** What a column can be, beside a metric. */
export const roles = ['none', 'serial', 'meter-no', 'imei', 'time', 'clock', 'metric', 'value'] as const
export type Role = (typeof roles)[number] | MetricName

/** Meaning of the columns of a file, as the user has entered it. */
export interface MappingDraft
  extends Pick<ReadingMapping, 'timeZone' | 'isEstimated'>,
    Pick<ReadingMapping['time'], 'order'> {
  readonly columns: readonly Role[]
  /** Unit of a column with a metric, by column. */
  readonly units: Readonly<Record<number, string>>
  /** Long form: metric and unit of each name. */
  readonly names: Readonly<Record<string, { readonly metric: MetricName; readonly unit: string }>>
}

const isDevice = (role: Role): role is ReadingMapping['device']['by'] =>
  role === 'serial' || role === 'meter-no' || role === 'imei'

/** What the server recognised. */
type Guess = { readonly [Field in keyof ReadingMapping]?: ReadingMapping[Field] | undefined }

const toRole = (guess: Guess, column: number): Role => {
  if (guess.device?.column === column) return guess.device.by
  if (guess.time?.column === column) return 'time'
  if (guess.time?.timeColumn === column) return 'clock'
  if (guess.form === 'long' && guess.metricColumn === column) return 'metric'
  if (guess.form === 'long' && guess.valueColumn === column) return 'value'
  return guess.values?.find((value) => value.column === column)?.metric ?? 'none'
}

/** A draft from what the server recognised. */
export function toDraft(guess: Guess, width: number): MappingDraft {
  const values = guess.values ?? []
  return {
    columns: Array.from({ length: width }, (_, column) => toRole(guess, column)),
    units: Object.fromEntries(
      values.flatMap(({ column, unit }) => (column === undefined ? [] : [[column, unit] as const])),
    ),
    names: Object.fromEntries(
      values.flatMap(({ name, metric, unit }) =>
        name === undefined ? [] : [[name, { metric, unit }] as const],
      ),
    ),
    timeZone: guess.timeZone ?? 'Asia/Shanghai',
    order: guess.time?.order ?? 'ymd',
    isEstimated: false,
  }
}

/** The draft with another role of a column. A role other than a metric belongs to one column only. */
export function withRole(draft: MappingDraft, column: number, role: Role): MappingDraft {
  const isOnce = role !== 'none' && !isMetricName(role)
  const isSame = (other: Role) => other === role || (isDevice(role) && isDevice(other))
  const columns = draft.columns.map((other, index) =>
    index === column ? role : isOnce && isSame(other) ? 'none' : other,
  )
  const units = isMetricName(role) ? { ...draft.units, [column]: listUnits(role)[0] ?? '' } : draft.units
  return { ...draft, columns, units }
}

export type Missing = 'device' | 'time' | 'values' | 'value'

type Meaning = Omit<ReadingMapping, 'encoding' | 'delimiter' | 'sheet' | 'headingRow' | 'headings'>

/** The mapping of a complete draft, or what is missing in it. */
export function toMeaning(draft: MappingDraft): Meaning | Missing {
  const find = (role: Role): number | undefined => {
    const column = draft.columns.indexOf(role)
    return column === -1 ? undefined : column
  }
  const column = draft.columns.findIndex(isDevice)
  const by = draft.columns[column]
  if (by === undefined || !isDevice(by)) return 'device'
  const time = find('time')
  if (time === undefined) return 'time'
  const [timeColumn, metricColumn, valueColumn] = [find('clock'), find('metric'), find('value')]
  const isLong = metricColumn !== undefined
  if (isLong && valueColumn === undefined) return 'value'
  const values: MappedValue[] = isLong
    ? Object.entries(draft.names).map(([name, named]) => ({ name, ...named }))
    : draft.columns.flatMap((role, index) =>
        isMetricName(role) ? [{ column: index, metric: role, unit: draft.units[index] ?? '' }] : [],
      )
  if (values.length === 0) return 'values'
  return {
    device: { column, by },
    time: { column: time, order: draft.order, ...(timeColumn !== undefined && { timeColumn }) },
    timeZone: draft.timeZone,
    form: isLong ? 'long' : 'wide',
    ...(metricColumn !== undefined && { metricColumn }),
    ...(isLong && valueColumn !== undefined && { valueColumn }),
    values,
    isEstimated: draft.isEstimated,
  }
}
