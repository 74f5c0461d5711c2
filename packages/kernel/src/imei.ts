/** Luhn sum of digits (ISO/IEC 7812-1, annex B); the last digit has weight 1. */
function luhnSum(digits: string): number {
  let sum = 0
  for (const [index, sign] of [...digits].reverse().entries()) {
    const value = Number(sign) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum
}

/** Whether a text is an IMEI: 15 digits, the last one a check digit (3GPP TS 23.003, annex B). */
export const isImei = (text: string): boolean => /^\d{15}$/.test(text) && luhnSum(text) % 10 === 0

/** Adds the check digit to 14 digits. Throws a RangeError for any other text. */
export function toImei(digits: string): string {
  if (!/^\d{14}$/.test(digits)) throw new RangeError(`an IMEI begins with 14 digits, not "${digits}"`)
  return `${digits}${(10 - (luhnSum(`${digits}0`) % 10)) % 10}`
}
