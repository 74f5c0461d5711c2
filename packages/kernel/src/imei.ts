/** Sum of digits by the Luhn formula (ISO/IEC 7812-1, annex B), the last digit counting once. */
function luhnSum(digits: string): number {
  let sum = 0
  for (const [index, sign] of [...digits].reverse().entries()) {
    const value = Number(sign) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum
}

/** Whether a text is an IMEI: 15 digits, the last of which checks the others (3GPP TS 23.003, annex B). */
export const isImei = (text: string): boolean => /^\d{15}$/.test(text) && luhnSum(text) % 10 === 0

/** The IMEI that begins with 14 digits. Throws a RangeError for anything else. */
export function toImei(digits: string): string {
  if (!/^\d{14}$/.test(digits)) throw new RangeError(`an IMEI begins with 14 digits, not "${digits}"`)
  return `${digits}${(10 - (luhnSum(`${digits}0`) % 10)) % 10}`
}
