import { bad, isAll, readBcd, readClock } from '../bytes/bcd.ts'
import { toDecimalText } from '../bytes/decimal.ts'
import { absent, type Field, type FieldValue } from '../bytes/field-value.ts'
import { toHex, toHexReversed } from '../bytes/hex.ts'
import type { CjtFrame, CjtMeterKind } from './frame.ts'
import { type IdentifierOrder, readIdentifier, toIdentifierText } from './identifiers.ts'
import {
  type CjtOptions,
  type Layout,
  type LayoutField,
  listLayouts,
  sizeOf,
  sizeOfLayout,
} from './layouts.ts'
import { findCjtUnit } from './units.ts'
import { toValveOrderField, toValveState } from './valve.ts'

/** Where the unit byte of a quantity is. CJ/T 188 puts it after the value; some makers put it before. */
export type UnitPosition = 'last' | 'first'

interface Head {
  /** Four hexadecimal digits, such as `901F`. */
  readonly identifier: string
  readonly order: IdentifierOrder
  /** The request's number, which the reply repeats. */
  readonly sequence: number
}

/** Meaning of a frame's data. */
export type CjtData =
  | ({
      readonly kind: 'values'
      readonly layout: string
      readonly unitPosition?: UnitPosition
      readonly fields: readonly Field[]
    } & Head)
  /** Only identifier and sequence: a request to read, or an acknowledgement. */
  | ({ readonly kind: 'bare' } & Head)
  /** An identifier, or a length of a known one, without a known layout. */
  | ({ readonly kind: 'unknown'; readonly hex: string } & Head)
  /** Refusal: status bytes, and the sequence in the form of 2004. In the form of 2018 there is one status byte only. */
  | { readonly kind: 'refusal'; readonly sequence?: number; readonly status: string }
  | { readonly kind: 'bad'; readonly reason: 'too-short' }
  /** Unit bytes that the table does not have, at either place. `at`: offset of the first one among the data bytes. */
  | ({ readonly kind: 'bad'; readonly reason: 'units'; readonly at: number; readonly hex: string } & Head)

/** Why a payload cannot be read. `at`: offset of the first unknown unit byte in it. */
type BadPayload =
  | { readonly kind: 'bad'; readonly reason: 'wrong-length'; readonly expectedBytes: readonly number[] }
  | { readonly kind: 'bad'; readonly reason: 'units'; readonly at: number }

function isQuantityRight(code: number | undefined, field: LayoutField, strict: boolean): boolean {
  if (code === 0xff) return true
  const unit = findCjtUnit(code ?? 0)
  return unit !== undefined && (!strict || (field.as === 'quantity' && unit.kind === field.kind))
}

/** Offset of the first unit byte that is not right; undefined if all are. */
function findWrongUnit(
  bytes: Uint8Array,
  { fields }: Layout,
  position: UnitPosition,
  strict: boolean,
): number | undefined {
  let at = 0
  for (const field of fields) {
    const place = position === 'last' ? at + sizeOf(field) - 1 : at
    if (field.as === 'quantity' && !isQuantityRight(bytes[place], field, strict)) return place
    at += sizeOf(field)
  }
  return undefined
}

const findUnknownUnit = (bytes: Uint8Array, layout: Layout): number =>
  findWrongUnit(bytes, layout, 'last', false) ?? 0

/**
 * Position at which every unit byte is in the table. Units of the right kind decide first: a value such as 05 12 34
 * 56 can look like a unit at both places.
 */
function findUnitPosition(bytes: Uint8Array, layout: Layout): UnitPosition | undefined {
  for (const strict of [true, false]) {
    for (const position of ['last', 'first'] as const) {
      if (findWrongUnit(bytes, layout, position, strict) === undefined) return position
    }
  }
  return undefined
}

function readInteger(
  bytes: Uint8Array,
  at: number,
  field: { readonly as: 'i32' | 'u32' | 'u8'; readonly decimals: number },
): FieldValue {
  const byte = (offset: number): number => bytes[at + offset] ?? 0
  const whole = field.as === 'u8' ? byte(0) : byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)
  const text = toDecimalText(field.as === 'u32' ? whole >>> 0 : whole, -field.decimals)
  return { kind: 'number', text, number: Number(text) }
}

/** Status bytes and what the standard says about them: valve and battery (CJ/T 188-2004, table of the status). */
function readStatus(bytes: Uint8Array, at: number): Field[] {
  const first = bytes[at] ?? 0
  return [
    { name: 'status', value: { kind: 'bytes', hex: toHex(bytes, at, at + 2) } },
    { name: 'valve', value: { kind: 'code', code: toValveState(first) } },
    { name: 'battery', value: { kind: 'code', code: (first & 0x04) !== 0 ? 'low' : 'good' } },
  ]
}

function readFields(bytes: Uint8Array, { fields }: Layout, position: UnitPosition): Field[] {
  const read: Field[] = []
  let at = 0
  for (const field of fields) {
    const { name } = field
    switch (field.as) {
      case 'quantity': {
        const code = bytes[position === 'last' ? at + field.bytes : at] ?? 0
        const start = position === 'last' ? at : at + 1
        const unit = findCjtUnit(code)
        const value =
          code === 0xff && isAll(bytes, start, field.bytes, 0xff)
            ? absent
            : readBcd(bytes, start, field.bytes, (unit?.exponent ?? 0) - field.decimals)
        read.push(
          unit === undefined
            ? { name, value: value.kind === 'absent' ? value : bad(bytes, at, sizeOf(field)) }
            : { name, value, unit: unit.symbol },
        )
        break
      }
      case 'number': {
        const value = readBcd(bytes, at, field.bytes, -field.decimals)
        read.push(field.unit === undefined ? { name, value } : { name, value, unit: field.unit })
        break
      }
      case 'clock':
        read.push({ name, value: readClock(bytes, at) })
        break
      case 'status':
        for (const each of readStatus(bytes, at)) read.push(each)
        break
      case 'address':
        read.push({ name, value: { kind: 'text', text: toHexReversed(bytes, at, at + 7) } })
        break
      case 'bytes':
        read.push({ name, value: { kind: 'bytes', hex: toHex(bytes, at, at + field.bytes) } })
        break
      case 'valve-order':
        read.push({ name, value: toValveOrderField(bytes[at] ?? 0) })
        break
      default: {
        const value = readInteger(bytes, at, field)
        read.push(field.unit === undefined ? { name, value } : { name, value, unit: field.unit })
      }
    }
    at += sizeOf(field)
  }
  return read
}

/** Data bytes after identifier and sequence, read as a payload that a gateway passes on without its frame. */
export function decodeCjtPayload(
  identifier: number,
  payload: Uint8Array,
  meterKind: CjtMeterKind,
  options: CjtOptions = {},
):
  | Pick<Extract<CjtData, { kind: 'values' }>, 'layout' | 'unitPosition' | 'fields' | 'kind'>
  | BadPayload
  | undefined {
  const layouts = listLayouts(identifier, meterKind, payload.length, options)
  if (layouts === undefined) return undefined
  const layout = layouts.find((each) => sizeOfLayout(each) === payload.length)
  if (layout === undefined) {
    return { kind: 'bad', reason: 'wrong-length', expectedBytes: layouts.map(sizeOfLayout) }
  }
  if (!layout.fields.some(({ as }) => as === 'quantity')) {
    return { kind: 'values', layout: layout.name, fields: readFields(payload, layout, 'last') }
  }
  const unitPosition = findUnitPosition(payload, layout)
  if (unitPosition === undefined)
    return { kind: 'bad', reason: 'units', at: findUnknownUnit(payload, layout) }
  return {
    kind: 'values',
    layout: layout.name,
    unitPosition,
    fields: readFields(payload, layout, unitPosition),
  }
}

/** Bytes of data identifier and sequence before the data proper. */
const HEAD = 3

/** Reads the data of a frame. */
export function decodeCjt(frame: CjtFrame, options: CjtOptions = {}): CjtData {
  const { data } = frame
  if (frame.isReply && frame.isRefusal) {
    if (data.length === 0) return { kind: 'bad', reason: 'too-short' }
    if (data.length <= 2) return { kind: 'refusal', status: toHex(data) }
    // The form of 2004 is sequence and two status bytes; some meters repeat the identifier before them.
    const at = data.length === 3 ? 0 : 2
    return { kind: 'refusal', sequence: data[at] ?? 0, status: toHex(data, at + 1) }
  }
  if (data.length < HEAD) return { kind: 'bad', reason: 'too-short' }
  const { identifier, order } = readIdentifier(data[0] ?? 0, data[1] ?? 0)
  const head = { identifier: toIdentifierText(identifier), order, sequence: data[2] ?? 0 }
  const payload = data.subarray(HEAD)
  if (payload.length === 0) return { kind: 'bare', ...head }
  const read = decodeCjtPayload(identifier, payload, frame.meterKind, options)
  if (read === undefined) return { kind: 'unknown', ...head, hex: toHex(payload) }
  if (read.kind === 'values') return { ...read, ...head }
  const hex = toHex(payload)
  // Frames of known identifiers with other lengths exist at every maker; their bytes are shown, not guessed.
  return read.reason === 'wrong-length'
    ? { kind: 'unknown', ...head, hex }
    : { ...read, at: HEAD + read.at, ...head, hex }
}
