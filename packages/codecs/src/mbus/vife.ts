/** What the extensions of a VIF change. */
export interface Modifiers {
  /** Names of the extensions in their order, such as `averaged` or `record-error-overflow`. */
  readonly modifiers: readonly string[]
  /** Added to the power of ten of the value. */
  readonly exponentShift: number
  /** Powers of ten that are added to the value, in its unit. */
  readonly additive: readonly number[]
  /** The value is the date of an event, whatever the VIF says. */
  readonly isTime: boolean
  /** Unit of a value that is a duration or a count, whatever the VIF says; empty for a count. */
  readonly unit: string | undefined
}

/** Errors that a meter reports for one record (EN 13757-3, table 17); 0 is none, so it changes nothing. */
const recordErrors: Readonly<Record<number, string>> = {
  1: 'too-many-difes',
  2: 'storage-not-implemented',
  3: 'subunit-not-implemented',
  4: 'tariff-not-implemented',
  5: 'function-not-implemented',
  6: 'data-class-not-implemented',
  7: 'data-size-not-implemented',
  11: 'too-many-vifes',
  12: 'illegal-vif-group',
  13: 'illegal-vif-exponent',
  14: 'dif-vif-mismatch',
  15: 'action-not-implemented',
  21: 'no-data',
  22: 'overflow',
  23: 'underflow',
  24: 'data-error',
  28: 'premature-end',
}

/** What a master's record does with the value of the meter (EN 13757-3, table 18); 0 replaces it, as a record without extension. */
const actions: Readonly<Record<number, string>> = {
  1: 'add-value',
  2: 'subtract-value',
  3: 'or',
  4: 'and',
  5: 'xor',
  6: 'and-not',
  7: 'clear',
  8: 'add-entry',
  9: 'delete-entry',
  11: 'freeze',
  12: 'add-to-readout',
  13: 'delete-from-readout',
}

/** Names by code of the extensions that only qualify a value (EN 13757-3, table 15). */
const names: Readonly<Record<number, string>> = {
  18: 'averaged',
  19: 'inverse-compact-profile',
  20: 'relative-deviation',
  29: 'standard-conform',
  30: 'compact-profile-registers',
  31: 'compact-profile',
  32: 'per-second',
  33: 'per-minute',
  34: 'per-hour',
  35: 'per-day',
  36: 'per-week',
  37: 'per-month',
  38: 'per-year',
  39: 'per-revolution',
  40: 'per-input-pulse-0',
  41: 'per-input-pulse-1',
  42: 'per-output-pulse-0',
  43: 'per-output-pulse-1',
  44: 'per-litre',
  45: 'per-m3',
  46: 'per-kg',
  47: 'per-k',
  48: 'per-kwh',
  49: 'per-gj',
  50: 'per-kw',
  51: 'per-kelvin-litre',
  52: 'per-volt',
  53: 'per-ampere',
  54: 'times-second',
  55: 'times-second-per-volt',
  56: 'times-second-per-ampere',
  57: 'start-of',
  58: 'uncorrected',
  59: 'forward-only',
  60: 'backward-only',
  61: 'non-metric',
  62: 'base-conditions',
  63: 'obis',
  64: 'lower-limit',
  72: 'upper-limit',
  65: 'lower-limit-count',
  73: 'upper-limit-count',
  104: 'during-lower-limit',
  108: 'during-upper-limit',
  105: 'leakage',
  109: 'overflow',
  126: 'future',
  127: 'manufacturer-extension',
}

/** Extensions after FC (EN 13757-3, table 16). */
const combinableNames: Readonly<Record<number, string>> = {
  1: 'phase-l1',
  2: 'phase-l2',
  3: 'phase-l3',
  4: 'neutral',
  5: 'phases-l1-l2',
  6: 'phases-l2-l3',
  7: 'phases-l3-l1',
  8: 'quadrant-1',
  9: 'quadrant-2',
  10: 'quadrant-3',
  11: 'quadrant-4',
  12: 'import-minus-export',
  13: 'alternative-non-metric',
  14: 'secondary-sensor',
  15: 'higher-resolution',
  16: 'absolute-sum',
  17: 'unsigned-type-c',
  18: 'type-d',
  19: 'end-of',
  20: 'to-meter',
  21: 'from-meter',
}

/** Extensions with a name that change what the value is: a date, or how often a limit was passed. */
const changes: Readonly<Record<number, Partial<Modifiers>>> = {
  57: { isTime: true },
  65: { unit: '' },
  73: { unit: '' },
}

const durations = ['s', 'min', 'h', 'd'] as const
const limit = (code: number): string => ((code & 0x08) !== 0 ? 'upper' : 'lower')
const turn = (code: number): string => ((code & 0x04) !== 0 ? 'last' : 'first')
const edge = (code: number): string => ((code & 0x01) !== 0 ? 'end' : 'begin')

const add = (found: Modifiers, name: string, change: Partial<Modifiers> = {}): Modifiers => ({
  ...found,
  ...change,
  modifiers: [...found.modifiers, name],
})

/** Table of an extension. The first one has other meanings in a command of a master than in the data of a meter. */
export type VifeTable = 'first' | 'first-of-command' | 'combinable' | 'manufacturer'

/** Applies one extension. `table`: which one it is of. */
export function applyVife(found: Modifiers, code: number, table: VifeTable): Modifiers {
  if (table === 'manufacturer') return add(found, `manufacturer-${code.toString(16).padStart(2, '0')}`)
  if (table === 'combinable') {
    const name = combinableNames[code] ?? 'reserved'
    return code === 0x13 ? add(found, name, { isTime: true }) : add(found, name)
  }
  if (code === 0) return found
  if (code >= 0x70 && code <= 0x77) return { ...found, exponentShift: found.exponentShift + (code & 7) - 6 }
  if (code === 0x7d) return { ...found, exponentShift: found.exponentShift + 3 }
  if (code >= 0x78 && code <= 0x7b) return { ...found, additive: [...found.additive, (code & 3) - 3] }
  const name = names[code]
  if (name !== undefined) return add(found, name, changes[code])
  if (table === 'first-of-command' && actions[code] !== undefined)
    return add(found, `action-${actions[code]}`)
  if (recordErrors[code] !== undefined) return add(found, `record-error-${recordErrors[code]}`)
  // 100 u f 1 b: date of a limit's crossing. 101 u f n n: its duration. 110 0 f n n: duration. 110 1 f 1 b: date.
  if (code >= 0x40 && code <= 0x4f && (code & 2) !== 0) {
    return add(found, `${limit(code)}-limit-${turn(code)}-${edge(code)}`, { isTime: true })
  }
  if (code >= 0x50 && code <= 0x5f) {
    const unit = durations[code & 3] ?? 's'
    return add(found, `${limit(code)}-limit-${turn(code)}-duration-${unit}`, { unit })
  }
  if (code >= 0x60 && code <= 0x67) {
    const unit = durations[code & 3] ?? 's'
    return add(found, `${turn(code)}-duration-${unit}`, { unit })
  }
  if (code >= 0x68 && code <= 0x6f && (code & 2) !== 0) {
    return add(found, `${turn(code)}-${edge(code)}`, { isTime: true })
  }
  return add(found, 'reserved')
}
