import { type FieldValue, isDay } from '../bytes/field-value.ts'

const two = (value: number): string => (value < 10 ? `0${value}` : String(value))

/**
 * Years 0 to 80 of meters that count two digits are 2000 to 2080, 81 to 99 are of the last century (EN 13757-3, annex A, types F
 * and G). 127 means "every year".
 */
const toYear = (year: number): number => (year <= 80 || year > 99 ? 2000 + year : 1900 + year)

/** Day and year as types F, G and I store them in two bytes. */
const readDay = (low: number, high: number) => ({
  day: low & 0x1f,
  month: high & 0x0f,
  year: ((low & 0xe0) >> 5) | ((high & 0xf0) >> 1),
})

/** Type G, two bytes: a date. FFFF is "no date". */
function readTypeG(low: number, high: number): FieldValue {
  const { day, month, year } = readDay(low, high)
  const whole = toYear(year)
  return {
    kind: 'time',
    text: `${whole}-${two(month)}-${two(day)}`,
    isValid: year <= 99 && isDay(whole, month, day),
  }
}

/** Type F, four bytes: date and time to the minute. */
function readTypeF([first = 0, second = 0, third = 0, fourth = 0]: readonly number[]): FieldValue {
  const { day, month, year } = readDay(third, fourth)
  const [minute, hour, century] = [first & 0x3f, second & 0x1f, (second & 0x60) >> 5]
  const whole = century === 0 ? toYear(year) : 1900 + 100 * century + year
  const isMarked = (first & 0x80) !== 0
  return {
    kind: 'time',
    text: `${whole}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`,
    isValid: !isMarked && year <= 99 && minute < 60 && hour < 24 && isDay(whole, month, day),
    isSummer: (second & 0x80) !== 0,
  }
}

/** Type I, six bytes: date and time to the second, with week and leap-year bits that repeat what the date says. */
function readTypeI([first = 0, second = 0, third = 0, fourth = 0, fifth = 0]: readonly number[]): FieldValue {
  const { day, month, year } = readDay(fourth, fifth)
  const [seconds, minute, hour] = [first & 0x3f, second & 0x3f, third & 0x1f]
  const whole = toYear(year)
  const isMarked = (second & 0x80) !== 0
  return {
    kind: 'time',
    text: `${whole}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(seconds)}`,
    isValid: !isMarked && year <= 99 && seconds < 60 && minute < 60 && hour < 24 && isDay(whole, month, day),
    isSummer: (first & 0x40) !== 0,
  }
}

/** Type J, three bytes: a time of day. */
function readTypeJ([first = 0, second = 0, third = 0]: readonly number[]): FieldValue {
  const [seconds, minute, hour] = [first & 0x3f, second & 0x3f, third & 0x1f]
  return {
    kind: 'time',
    text: `${two(hour)}:${two(minute)}:${two(seconds)}`,
    isValid: seconds < 60 && minute < 60 && hour < 24,
  }
}

/**
 * A date or time of EN 13757-3, annex A; the number of bytes is its type. Undefined for other lengths: type M, an
 * epoch, is left as bytes, because no supported meter sends it. `bytes`: the lowest first; in mode 2 the caller reverses them.
 */
export function readTime(bytes: readonly number[]): FieldValue | undefined {
  switch (bytes.length) {
    case 2:
      return readTypeG(bytes[0] ?? 0, bytes[1] ?? 0)
    case 3:
      return readTypeJ(bytes)
    case 4:
      return readTypeF(bytes)
    case 6:
      return readTypeI(bytes)
    default:
      return undefined
  }
}
