import type { FieldValue } from '../bytes/field-value.ts'
import { toHex } from '../bytes/hex.ts'
import { MAX_EXTENSIONS, readValueInformation } from './value-information.ts'
import { type Coding, readValue } from './values.ts'

/** What the value is of its kind; `error`: measured while the meter had a fault, so not a reading. */
export type MbusFunction = 'instantaneous' | 'maximum' | 'minimum' | 'error'

/** One record of a telegram. */
export interface MbusRecord {
  readonly function: MbusFunction
  /** 0 is the current value, higher numbers are stored ones (settlement days, months). */
  readonly storage: number
  readonly tariff: number
  readonly subunit: number
  /** Name of what is measured, such as `energy`, `flow`, `supply-temperature`. */
  readonly quantity: string
  /** Symbol of the unit, or the text of a text unit; powers of ten are already in the value. */
  readonly unit?: string
  /** Names of extensions, such as `averaged`. */
  readonly modifiers: readonly string[]
  readonly value: FieldValue
  /** Offset of the record in the telegram's data, and its number of bytes. */
  readonly at: number
  readonly length: number
}

export type RecordProblem = 'truncated' | 'too-many-extensions' | 'reserved-dif' | 'reserved-length'

export interface MbusRecords {
  readonly records: readonly MbusRecord[]
  /** Bytes of the manufacturer's own structure at the end (0F, 1F). */
  readonly manufacturerData: Uint8Array | undefined
  /** More records follow in the next telegram (1F): request again with the other FCB. */
  readonly moreFollows: boolean
  /** The records before the problem are whole. */
  readonly problem?: { readonly reason: RecordProblem; readonly at: number }
}

const functions: readonly MbusFunction[] = ['instantaneous', 'maximum', 'minimum', 'error']

/** Bytes and coding by the lower four bits of the DIF; the variable length D is read apart (EN 13757-3, table 4). */
const codings: readonly (readonly [length: number, coding: Coding])[] = [
  [0, 'none'],
  [1, 'integer'],
  [2, 'integer'],
  [3, 'integer'],
  [4, 'integer'],
  [4, 'float'],
  [6, 'integer'],
  [8, 'integer'],
  // Selection for readout: of requests, without data.
  [0, 'none'],
  [1, 'bcd'],
  [2, 'bcd'],
  [3, 'bcd'],
  [4, 'bcd'],
  [0, 'text'],
  [6, 'bcd'],
]
const VARIABLE = 0x0d
const SPECIAL = 0x0f
/** Special DIFs. */
const MANUFACTURER = 0x0f
const MORE_FOLLOWS = 0x1f
const FILLER = 0x2f
const GLOBAL_READOUT = 0x7f

/** Length and coding of variable data by its length byte (EN 13757-3, table 5); undefined for a reserved one. */
function readVariableLength(code: number): readonly [length: number, coding: Coding] | undefined {
  if (code <= 0xbf) return [code, 'text']
  if (code <= 0xc9) return [code - 0xc0, 'bcd']
  if (code >= 0xd0 && code <= 0xd9) return [code - 0xd0, 'negative-bcd']
  if (code >= 0xe0 && code <= 0xef) return [code - 0xe0, 'integer']
  if (code >= 0xf0 && code <= 0xf4) return [4 * (code - 0xec), 'unsigned']
  if (code === 0xf5) return [48, 'unsigned']
  if (code === 0xf6) return [64, 'unsigned']
  return undefined
}

interface DataInformation {
  readonly storage: number
  readonly tariff: number
  readonly subunit: number
  readonly end: number
}

/** Storage, tariff and subunit of DIF and DIFEs. Storage has up to 41 bits, so no bit operators. */
function readDataInformation(bytes: Uint8Array, at: number): DataInformation | RecordProblem {
  const dif = bytes[at] ?? 0
  let storage = (dif & 0x40) >> 6
  let [tariff, subunit, end] = [0, 0, at + 1]
  if ((dif & 0x80) === 0) return { storage, tariff, subunit, end }
  for (let count = 0; ; count++, end++) {
    const dife = bytes[end]
    if (dife === undefined) return 'truncated'
    if (count >= MAX_EXTENSIONS) return 'too-many-extensions'
    storage += (dife & 0x0f) * 2 ** (1 + 4 * count)
    tariff += ((dife & 0x30) >> 4) * 4 ** count
    subunit += ((dife & 0x40) >> 6) * 2 ** count
    if ((dife & 0x80) === 0) return { storage, tariff, subunit, end: end + 1 }
  }
}

/** Reads one record at `at`, which is none of the special DIFs. */
function readRecord(
  bytes: Uint8Array,
  at: number,
  highFirst: boolean,
  isCommand: boolean,
): MbusRecord | RecordProblem {
  const dif = bytes[at] ?? 0
  const position = readDataInformation(bytes, at)
  if (typeof position === 'string') return position
  const information = readValueInformation(bytes, position.end, isCommand)
  if ('failure' in information) return information.failure
  let start = information.end
  let [length, coding] = codings[dif & 0x0f] ?? [0, 'none' as Coding]
  if ((dif & 0x0f) === VARIABLE) {
    const code = bytes[start]
    if (code === undefined) return 'truncated'
    const variable = readVariableLength(code)
    if (variable === undefined) return 'reserved-length'
    ;[length, coding] = variable
    start++
  }
  if (start + length > bytes.length) return 'truncated'
  const { form, exponent, additive, unit } = information
  const value = readValue(bytes, { coding, at: start, length, form, exponent, additive }, highFirst)
  const record = {
    function: functions[(dif & 0x30) >> 4] ?? 'instantaneous',
    storage: position.storage,
    tariff: position.tariff,
    subunit: position.subunit,
    quantity: information.quantity,
    modifiers: information.modifiers,
    value,
    at,
    length: start + length - at,
  }
  return unit === undefined ? record : { ...record, unit }
}

/** Reads the records of a telegram from `from` on. `highFirst`: mode 2. `isCommand`: the telegram is of a master. */
export function readRecords(
  bytes: Uint8Array,
  from: number,
  highFirst: boolean,
  isCommand = false,
): MbusRecords {
  const records: MbusRecord[] = []
  let at = from
  while (at < bytes.length) {
    const dif = bytes[at] ?? 0
    if (dif === FILLER || dif === GLOBAL_READOUT) at++
    else if (dif === MANUFACTURER || dif === MORE_FOLLOWS) {
      return { records, manufacturerData: bytes.subarray(at + 1), moreFollows: dif === MORE_FOLLOWS }
    } else {
      const record = (dif & 0x0f) === SPECIAL ? 'reserved-dif' : readRecord(bytes, at, highFirst, isCommand)
      if (typeof record === 'string') {
        return { records, manufacturerData: undefined, moreFollows: false, problem: { reason: record, at } }
      }
      records.push(record)
      at += record.length
    }
  }
  return { records, manufacturerData: undefined, moreFollows: false }
}

/** Bytes of the manufacturer as text, for display. */
export const toManufacturerHex = ({ manufacturerData }: MbusRecords): string =>
  manufacturerData === undefined ? '' : toHex(manufacturerData)
