/** A text that PostgreSQL's jsonb accepts: without NUL and without lone surrogates. */
const toStorable = (text: string): string => text.replaceAll('\u0000', '').toWellFormed()

/** JSON of a value. Makes all texts storable, field names too. */
export const toStorableJson = (input: unknown): string =>
  JSON.stringify(input, (_, value: unknown) => {
    if (typeof value === 'string') return toStorable(value)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [toStorable(name), field]))
  })
