/** The words of a comma-joined list that are in `known`, without duplicates, in the order of `known`. */
export function pickKnown<Word extends string>(text: string | null, known: readonly Word[]): readonly Word[] {
  const words = new Set(text?.split(','))
  return known.filter((word) => words.has(word))
}

export const findKnown = <Word extends string>(
  text: string | null,
  known: readonly Word[],
): Word | undefined => known.find((word) => word === text)

/** Ids of a comma-joined list: positive integers without duplicates, in the order of the list. */
export function parseIds(text: string | null): readonly number[] {
  const ids = (text ?? '').split(',').map(Number)
  return [...new Set(ids.filter((id) => Number.isSafeInteger(id) && id > 0))]
}

/** Query without empty parameters, so that a page in its default state has a short address. */
export const toSearch = (entries: Readonly<Record<string, string>>): URLSearchParams =>
  new URLSearchParams(Object.entries(entries).filter(([, value]) => value !== ''))
