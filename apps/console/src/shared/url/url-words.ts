/** Picks the known words of a comma-joined list, once each and in the order given. */
export function pickKnown<Word extends string>(text: string | null, known: readonly Word[]): readonly Word[] {
  const words = new Set(text?.split(','))
  return known.filter((word) => words.has(word))
}

export const findKnown = <Word extends string>(
  text: string | null,
  known: readonly Word[],
): Word | undefined => known.find((word) => word === text)

/** Ids of a comma-joined list: positive whole numbers, once each, in the order given. */
export function parseIds(text: string | null): readonly number[] {
  const ids = (text ?? '').split(',').map(Number)
  return [...new Set(ids.filter((id) => Number.isSafeInteger(id) && id > 0))]
}

/** Removes empty parameters, so that a default page has a short address. */
export const toSearch = (entries: Readonly<Record<string, string>>): URLSearchParams =>
  new URLSearchParams(Object.entries(entries).filter(([, value]) => value !== ''))
