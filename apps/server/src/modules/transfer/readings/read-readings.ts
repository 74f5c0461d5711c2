import type { MappedValue, ReadingMapping } from '@isotherm/contract/endpoints/devices/reading-mapping'
import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { toMetricUnit } from '@isotherm/profiles/convert-units'
import type { SheetRow } from '../../../platform/spreadsheet/workbook-reader.ts'
import type { TimeZone } from '../../../platform/time-zone.ts'
import { type Fault, toFault } from '../sheets/texts.ts'
import { parseTime } from './parse-time.ts'

/** One value of a row in the unit of its metric. */
export interface FileValue {
  readonly metric: MetricName
  readonly value: number
}

/** A row of the file: a device, an instant and its values; `faults` are those of single values. */
export interface ReadRow {
  readonly row: SheetRow
  readonly device: string
  readonly ts: number
  readonly values: readonly FileValue[]
  readonly faults: readonly Fault[]
}

export type RowOutcome = ReadRow | { readonly row: SheetRow; readonly fault: Fault }

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
/** Texts for "no value" in exports of other platforms. */
const NOTHING = /^(?:-+|\/|null|nan|n\/a|none|无|—+)$/i

const DECIMAL_COMMA = /^[+-]?\d*,\d+(?:e[+-]?\d+)?$/i
/** 0,500 is no group of thousands: it was written with a decimal comma. */
const THOUSANDS = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/

type Delimiter = ReadingMapping['delimiter']

/** A number with a decimal point. Programs that separate columns by semicolons write a comma. */
export const toDecimalPoint = (text: string, delimiter: Delimiter): string =>
  delimiter === ';' && DECIMAL_COMMA.test(text) ? text.replace(',', '.') : text

/** The number of a text, also with separators of thousands if the comma is no decimal sign; undefined if it is none. */
function parseNumber(text: string, delimiter: Delimiter): number | undefined {
  const isGrouped = delimiter !== ';' && THOUSANDS.test(text)
  const plain = isGrouped ? text.replaceAll(',', '') : toDecimalPoint(text, delimiter)
  return NUMBER.test(plain) ? Number(plain) : undefined
}

/** The start of a text for a message. Does not cut a character in two. */
const shorten = (text: string): string => text.slice(0, 60).toWellFormed()

function readValue(text: string, { metric, unit }: MappedValue, delimiter: Delimiter): FileValue | Fault {
  const number = parseNumber(text, delimiter)
  const value = number === undefined ? undefined : toMetricUnit(metric, number, unit || metrics[metric].unit)
  // A count has no unit to convert.
  const counted = value ?? (metrics[metric].unit === '' ? number : undefined)
  return counted === undefined || !Number.isFinite(counted)
    ? toFault('reading.not-a-number', { value: shorten(text) })
    : { metric, value: counted }
}

/** Reads the rows of a file by its mapping. */
export function createReadRow(mapping: ReadingMapping, zone: TimeZone): (row: SheetRow) => RowOutcome {
  const { device, time, form, values, metricColumn = -1, valueColumn = -1 } = mapping
  const named = new Map(
    values.flatMap((value) => (value.name === undefined ? [] : [[value.name, value] as const])),
  )

  /** The cells of the row that contain values, each with its metric and unit. */
  function* listTexts({ cells }: SheetRow): Generator<readonly [string, MappedValue] | Fault> {
    if (form === 'wide') {
      for (const value of values) {
        const text = value.column === undefined ? undefined : cells.get(value.column)
        if (text !== undefined) yield [text, value]
      }
      return
    }
    const name = cells.get(metricColumn) ?? ''
    const value = named.get(name)
    const text = cells.get(valueColumn)
    if (!value) yield toFault('reading.unknown-metric', { name: shorten(name) })
    else if (text !== undefined) yield [text, value]
  }

  return (row) => {
    const name = row.cells.get(device.column)
    if (name === undefined) return { row, fault: toFault('reading.no-device') }
    const text = row.cells.get(time.column)
    const clock = time.timeColumn === undefined ? undefined : (row.cells.get(time.timeColumn) ?? '')
    const ts = text === undefined ? undefined : parseTime(text, clock, time.order, zone)
    if (ts === undefined) return { row, fault: toFault('reading.bad-time', { value: shorten(text ?? '') }) }
    const read: FileValue[] = []
    const faults: Fault[] = []
    for (const found of listTexts(row)) {
      if ('code' in found) {
        faults.push(found)
        continue
      }
      if (NOTHING.test(found[0])) continue
      const value = readValue(...found, mapping.delimiter)
      if ('code' in value) faults.push(value)
      else read.push(value)
    }
    return { row, device: name, ts, values: read, faults }
  }
}
