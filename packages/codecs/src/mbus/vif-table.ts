import type { ValueForm, Vif } from './value-information.ts'

/** Entries of a table of VIFs from a code on: the exponent counts up with each code. */
export interface VifRange {
  readonly from: number
  readonly count: number
  readonly quantity: string
  readonly unit?: string
  readonly exponent?: number
  readonly form?: ValueForm
  /** Units by code instead of exponents, as for durations. */
  readonly units?: readonly string[]
}

export const durations = ['s', 'min', 'h', 'd'] as const
export const longDurations = ['h', 'd', 'month', 'year'] as const

/** A table of 128 codes from ranges. */
export function toVifTable(ranges: readonly VifRange[]): readonly (Vif | undefined)[] {
  const table = new Array<Vif | undefined>(128).fill(undefined)
  for (const { from, count, quantity, unit, units, exponent, form = 'number' } of ranges) {
    for (let step = 0; step < count; step++) {
      const symbol = units?.[step] ?? unit
      const entry = { quantity, exponent: exponent === undefined ? 0 : exponent + step, form }
      table[from + step] = symbol === undefined ? entry : { ...entry, unit: symbol }
    }
  }
  return table
}
