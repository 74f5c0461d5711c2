import { toDecimalText } from './decimal.ts'

/**
 * Value of one field of a frame, of any protocol.
 *
 * - `number`: `text` is exact, in the field's unit; `number` is the nearest float.
 * - `time`: a date, a time, or both, as the device wrote it and in its own zone: `2014-03-13`, `2014-03-13T11:11`,
 *   `2014-03-13T11:11:05` or `11:11:05`. Without `isValid` the device marked it as invalid, or it is no date of the calendar
 *   (also a repeated one, such as "each year").
 * - `code`: one of few states, such as `open`.
 * - `bytes`: not interpreted, in the order of the frame.
 * - `absent`: the device filled the field with its sign for "no value".
 * - `bad`: digits that the format does not allow, such as A to F in a decimal number.
 */
export type FieldValue =
  | { readonly kind: 'number'; readonly text: string; readonly number: number }
  | { readonly kind: 'time'; readonly text: string; readonly isValid: boolean; readonly isSummer?: boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'bytes'; readonly hex: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'bad'; readonly hex: string }

export const absent: FieldValue = { kind: 'absent' }

/** Powers of ten that a float holds exactly. */
const POWERS = Array.from({ length: 23 }, (_, power) => 10 ** power)
const toPower = (power: number): number => POWERS[power] ?? 10 ** power

/** A whole number below 2^53 with its power of ten. Dividing by an exact power rounds once, as reading the text does. */
export function toExactValue(whole: number, exponent: number): FieldValue {
  const number = exponent < 0 ? whole / toPower(-exponent) : whole * toPower(exponent)
  return { kind: 'number', text: toDecimalText(whole, exponent), number }
}

export const toNumberValue = (text: string): FieldValue => ({ kind: 'number', text, number: Number(text) })

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether a day exists in the calendar. */
export const isDay = (year: number, month: number, day: number): boolean =>
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  day <= (month === 2 && isLeap(year) ? 29 : (MONTH_DAYS[month - 1] ?? 0))

/** A named value of a frame. Names are the same in all protocols where the meaning is: `energy`, `flow`, `supply-temperature`. */
export interface Field {
  readonly name: string
  readonly value: FieldValue
  /** Symbol of the unit as transmitted, such as `kWh`, `GJ`, `m³/h`; powers of ten are already in the value. */
  readonly unit?: string
}
