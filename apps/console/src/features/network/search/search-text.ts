/** A text around the first place where it contains another, whatever the case; nothing where it does not. */
export function splitMatch(
  text: string,
  sought: string,
): { readonly before: string; readonly match: string; readonly after: string } | undefined {
  const wanted = sought.trim().toLowerCase()
  const start = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted)
  if (start < 0) return undefined
  const end = start + wanted.length
  return { before: text.slice(0, start), match: text.slice(start, end), after: text.slice(end) }
}

const CJK = /\p{Script=Han}/u

/** From 1 Chinese or 2 other characters on, a search over the whole company is worth its while. */
export function isSearchable(text: string): boolean {
  const sought = text.trim()
  return CJK.test(sought) || [...sought].length >= 2
}
