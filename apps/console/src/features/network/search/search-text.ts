/** Splits a text at the first match, ignoring case; undefined without a match. */
export function splitMatch(
  text: string,
  searchText: string,
): { readonly before: string; readonly match: string; readonly after: string } | undefined {
  const needle = searchText.trim().toLowerCase()
  const start = needle === '' ? -1 : text.toLowerCase().indexOf(needle)
  if (start < 0) return undefined
  const end = start + needle.length
  return { before: text.slice(0, start), match: text.slice(start, end), after: text.slice(end) }
}

const CJK = /\p{Script=Han}/u

/** True if the text is long enough for a search over the whole company: 1 Chinese or 2 other characters. */
export function isSearchable(text: string): boolean {
  const searchText = text.trim()
  return CJK.test(searchText) || [...searchText].length >= 2
}
