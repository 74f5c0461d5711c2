import { givenName } from '@isotherm/contract/entity'
import type { Cells, Column } from './columns.ts'
import { type Fault, type FaultCode, type FaultParams, toFault } from './texts.ts'

/** A row with an invalid cell. */
export class RowFault extends Error {
  readonly fault: Fault
  constructor(code: FaultCode, params: FaultParams = {}) {
    super(code)
    this.fault = toFault(code, params)
  }
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** Reads a text of at most `limit` characters; null for an empty cell. Throws RowFault, as all readers of cells do. */
export function readText(cells: Cells, column: Column, limit: number): string | null {
  const text = cells[column]
  if (text === undefined) return null
  if (text.length > limit) throw new RowFault('row.too-long', { column, limit })
  return text
}

/** Reads a text that must be there. */
export function requireText(cells: Cells, column: Column, limit: number): string {
  const text = readText(cells, column, limit)
  if (text === null) throw new RowFault('row.missing', { column })
  return text
}

/** Reads a name that people gave to a thing; null for an empty cell. */
export function readGivenName(cells: Cells, column: Column): string | null {
  const name = readText(cells, column, NAME_LENGTH)
  if (name !== null && !givenName.safeParse(name).success) throw new RowFault('row.bad-value', { column })
  return name
}

/** Reads a name that must be there. */
export function requireGivenName(cells: Cells, column: Column): string {
  const name = readGivenName(cells, column)
  if (name === null) throw new RowFault('row.missing', { column })
  return name
}

/** Range of a number. */
export interface Range {
  readonly min: number
  readonly max: number
  /** If true, `min` itself is not allowed. */
  readonly isAbove?: boolean
}

/** Reads a number in a range. */
export function readNumber(
  cells: Cells,
  column: Column,
  { min, max, isAbove = false }: Range,
): number | null {
  const text = cells[column]
  if (text === undefined) return null
  const number = NUMBER.test(text) ? Number(text) : Number.NaN
  const fits = number <= max && (isAbove ? number > min : number >= min)
  if (!fits) throw new RowFault('row.not-a-number', { column, least: min, most: max })
  return number
}

/** Reads a text that satisfies a condition. */
export function readMatching(cells: Cells, column: Column, fits: (text: string) => boolean): string | null {
  const text = cells[column]
  if (text === undefined) return null
  if (!fits(text)) throw new RowFault('row.bad-value', { column })
  return text
}

/** Reads one of the words that a column allows, in either language. */
export function readWord<Word>(
  cells: Cells,
  column: Column,
  find: (text: string) => Word | undefined,
): Word | null {
  const text = cells[column]
  if (text === undefined) return null
  const word = find(text)
  if (word === undefined) throw new RowFault('row.bad-value', { column })
  return word
}

/** Refuses one value without the other. */
export function checkPair(left: number | null, right: number | null, column: Column): void {
  if ((left === null) !== (right === null)) throw new RowFault('row.pair', { column })
}

const SERIAL = /^[A-Za-z0-9_.-]{1,64}$/
export const isSerial = (text: string): boolean => SERIAL.test(text)

/** Longest name in a workbook. */
export const NAME_LENGTH = 60

/** Reads a place: names from the project down, joined by commas. */
export function readPlace(cells: Cells, column: Column): readonly string[] | null {
  const names = cells[column]?.split(/[,，]/).map((name) => name.trim())
  if (!names) return null
  const isPlace = names.length <= 8 && names.every((name) => name !== '' && name.length <= NAME_LENGTH)
  if (!isPlace) throw new RowFault('row.bad-value', { column })
  return names
}

export function requirePlace(cells: Cells, column: Column): readonly string[] {
  const place = readPlace(cells, column)
  if (place === null) throw new RowFault('row.missing', { column })
  return place
}
