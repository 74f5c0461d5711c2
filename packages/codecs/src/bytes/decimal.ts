/**
 * Exact text of `mantissa` × 10^`exponent` with all digits that the sender transmitted: (54321, -3) is `54.321`,
 * (0, -2) is `0.00`, (35, 3) is `35000`. Energies of a billion units do not fit a float, so the text is the exact value.
 */
export function toDecimalText(mantissa: number | bigint, exponent: number): string {
  const negative = mantissa < 0
  return fromDigits(String(negative ? -mantissa : mantissa), negative, exponent)
}

/** The same from a text of decimal digits; leading zeros are dropped. */
export function fromDigits(digits: string, negative: boolean, exponent: number): string {
  let from = 0
  const last = digits.length - 1
  while (from < last && digits.charCodeAt(from) === 48) from++
  let text = from === 0 ? digits : digits.slice(from)
  if (exponent > 0) {
    if (text !== '0') text += '0'.repeat(exponent)
  } else if (exponent < 0) {
    const places = -exponent
    if (text.length <= places) text = text.padStart(places + 1, '0')
    text = `${text.slice(0, text.length - places)}.${text.slice(text.length - places)}`
  }
  return negative && /[1-9]/.test(text) ? `-${text}` : text
}

/** A decimal text with its point moved `exponent` places to the right (left if negative). */
export function shiftPoint(text: string, exponent: number): string {
  const [, sign = '', whole = '', fraction = '', power] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text) ?? []
  return fromDigits(whole + fraction, sign !== '', exponent - fraction.length + Number(power ?? 0))
}

/** Sum of a decimal text and 10^`exponent`, exact. */
export function addPowerOfTen(text: string, exponent: number): string {
  const places = Math.max(-exponent, text.includes('.') ? text.length - text.indexOf('.') - 1 : 0)
  const scaled = BigInt(shiftPoint(text, places)) + 10n ** BigInt(places + exponent)
  return toDecimalText(scaled, -places)
}

/** Decimal digits that a 32-bit float holds, whatever they are. */
const FLOAT32_DIGITS = 6

/** Shortest decimal text that reads back as the same 32-bit float. */
export function toFloat32Text(value: number): string {
  const isExact = (text: string): boolean => Math.fround(Number(text)) === value
  // A float holds any six digits. Where they are too few, fewer are as well.
  const first = isExact(value.toPrecision(FLOAT32_DIGITS)) ? 1 : FLOAT32_DIGITS + 1
  for (let digits = first; digits < 9; digits++) {
    const text = value.toPrecision(digits)
    if (isExact(text)) return shiftPoint(text, 0)
  }
  return shiftPoint(value.toPrecision(9), 0)
}
