/** The named numbers that are known: neither absent nor NaN. */
export const known = <Name extends string>(
  given: Readonly<Record<Name, number | undefined>>,
): Partial<Record<Name, number>> => {
  const found: Partial<Record<Name, number>> = {}
  for (const name in given) {
    const value = given[name]
    if (value !== undefined && Number.isFinite(value)) found[name] = value
  }
  return found
}
