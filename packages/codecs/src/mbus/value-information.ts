import { alternateTable } from './vif-alternate-table.ts'
import { mainTable, secondLevelTable } from './vif-main-table.ts'
import { primaryTable } from './vif-primary-table.ts'
import { applyVife, type Modifiers } from './vife.ts'

/** How the data of a record is read, beyond its length. */
export type ValueForm =
  | 'number'
  /** A date or a time, whose type follows from the length of the data. */
  | 'time'
  /** Bits or a code, unsigned. */
  | 'bits'
  /** A number of identification: binary-coded decimals are digits, integers are unsigned. */
  | 'identity'

/** Meaning of a value information field. */
export interface Vif {
  readonly quantity: string
  readonly unit?: string
  /** Power of ten of the value in `unit`. */
  readonly exponent: number
  readonly form: ValueForm
}

/** Meaning of a whole value information block. */
export interface ValueInformation extends Pick<Modifiers, 'modifiers' | 'additive'> {
  readonly quantity: string
  readonly unit: string | undefined
  readonly exponent: number
  readonly form: ValueForm
  /** Offset of the first byte after the block. */
  readonly end: number
}

export type VibFailure = { readonly failure: 'truncated' | 'too-many-extensions' }

/** Extensions after DIF or VIF at most (EN 13757-3, 6.3.4 and 6.4.4). */
export const MAX_EXTENSIONS = 10

const reserved: Vif = { quantity: 'reserved', exponent: 0, form: 'number' }
const manufacturer: Vif = { quantity: 'manufacturer-specific', exponent: 0, form: 'number' }
const any: Vif = { quantity: 'any', exponent: 0, form: 'number' }
const none: Modifiers = { modifiers: [], exponentShift: 0, additive: [], isTime: false, unit: undefined }

const TEXT = 0x7c
const ANY = 0x7e
const MANUFACTURER = 0x7f
const ALTERNATE = 0xfb
const MAIN = 0xfd
/** After FD: the true VIF is of the second level. */
const SECOND_LEVEL = 0xfd

const isPrintable = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x20 && byte !== 0x7f

/** A text of `length` bytes after `at`, last letter first. Control characters are no letters of a unit. */
function readText(bytes: Uint8Array, at: number, length: number): string {
  const letters = [...bytes.subarray(at, at + length)].reverse().filter(isPrintable)
  return String.fromCharCode(...letters)
}

/**
 * Whether a text unit starts at `at`: its length, then printable bytes. Most meters write the text directly after the VIF and
 * its extensions after the text; EN 13757-3 has it the other way round. The bytes decide.
 */
function isTextAt(bytes: Uint8Array, at: number): boolean {
  const length = bytes[at] ?? 0
  if (length === 0 || at + 1 + length > bytes.length) return false
  for (let from = at + 1; from <= at + length; from++) if (!isPrintable(bytes[from])) return false
  return true
}

interface Extended {
  readonly found: Modifiers
  readonly end: number
}

/** Reads the extensions from `at` as long as their highest bit announces another. */
function readExtensions(
  bytes: Uint8Array,
  at: number,
  announced: boolean,
  isCommand: boolean,
): Extended | VibFailure {
  if (!announced) return { found: none, end: at }
  const first = isCommand ? 'first-of-command' : 'first'
  let found: Modifiers = none
  let isCombinable = false
  let isOwn = false
  for (let count = 0, place = at; ; count++, place++) {
    const byte = bytes[place]
    if (byte === undefined) return { failure: 'truncated' }
    if (count >= MAX_EXTENSIONS) return { failure: 'too-many-extensions' }
    // FC announces that the next extension is of the second table. After FF all are the manufacturer's own.
    if (byte === 0xfc && !isOwn) isCombinable = true
    else {
      found = applyVife(found, byte & 0x7f, isOwn ? 'manufacturer' : isCombinable ? 'combinable' : first)
      isOwn ||= (byte & 0x7f) === MANUFACTURER
      isCombinable = false
    }
    if ((byte & 0x80) === 0) return { found, end: place + 1 }
  }
}

/** The power of ten and the unit of the VIF do not apply to a duration or a count. */
const finish = (vif: Vif, { found, end }: Extended): ValueInformation => ({
  quantity: vif.quantity,
  unit: found.unit === undefined ? vif.unit : found.unit || undefined,
  exponent: (found.unit === undefined ? vif.exponent : 0) + found.exponentShift,
  form: found.isTime ? 'time' : vif.form,
  modifiers: found.modifiers,
  additive: found.additive,
  end,
})

/** A VIF whose unit is a text (7C, FC): the text is name and unit of the value. */
function readTextInformation(
  bytes: Uint8Array,
  at: number,
  announced: boolean,
  isCommand: boolean,
): ValueInformation | VibFailure {
  const isTextFirst = !announced || isTextAt(bytes, at)
  const before = isTextFirst ? { found: none, end: at } : readExtensions(bytes, at, announced, isCommand)
  if ('failure' in before) return before
  const length = bytes[before.end]
  const start = before.end + 1
  if (length === undefined || start + length > bytes.length) return { failure: 'truncated' }
  const vif: Vif = {
    quantity: 'text-unit',
    unit: readText(bytes, start, length),
    exponent: 0,
    form: 'number',
  }
  const after = isTextFirst
    ? readExtensions(bytes, start + length, announced, isCommand)
    : { found: before.found, end: start + length }
  return 'failure' in after ? after : finish(vif, after)
}

/** FB or FD: the next byte is the true VIF, from another table; FD behind FD announces one of the second level. */
function readExtendedTable(
  bytes: Uint8Array,
  at: number,
  table: readonly (Vif | undefined)[],
  isCommand: boolean,
): ValueInformation | VibFailure {
  const code = bytes[at]
  if (code === undefined) return { failure: 'truncated' }
  if (table === mainTable && code === SECOND_LEVEL)
    return readExtendedTable(bytes, at + 1, secondLevelTable, isCommand)
  const extended = readExtensions(bytes, at + 1, (code & 0x80) !== 0, isCommand)
  return 'failure' in extended ? extended : finish(table[code & 0x7f] ?? reserved, extended)
}

/** Reads the value information block at `at`. `isCommand`: it is of a master. */
export function readValueInformation(
  bytes: Uint8Array,
  at: number,
  isCommand: boolean,
): ValueInformation | VibFailure {
  const vif = bytes[at]
  if (vif === undefined) return { failure: 'truncated' }
  if (vif === ALTERNATE) return readExtendedTable(bytes, at + 1, alternateTable, isCommand)
  if (vif === MAIN) return readExtendedTable(bytes, at + 1, mainTable, isCommand)
  const announced = (vif & 0x80) !== 0
  const code = vif & 0x7f
  if (code === TEXT) return readTextInformation(bytes, at + 1, announced, isCommand)
  const meaning = code === MANUFACTURER ? manufacturer : code === ANY ? any : (primaryTable[code] ?? reserved)
  if (!announced) return finish(meaning, { found: none, end: at + 1 })
  if (code === MANUFACTURER) {
    // Extensions of a manufacturer's VIF have the manufacturer's meaning.
    let end = at + 1
    for (let count = 0; ((bytes[end] ?? 0) & 0x80) !== 0; end++, count++) {
      if (count >= MAX_EXTENSIONS) return { failure: 'too-many-extensions' }
    }
    return end < bytes.length ? finish(meaning, { found: none, end: end + 1 }) : { failure: 'truncated' }
  }
  const extended = readExtensions(bytes, at + 1, true, isCommand)
  return 'failure' in extended ? extended : finish(meaning, extended)
}
