/** A part of a configuration that is being edited; it may be incomplete. */
export type Draft = Readonly<Record<string, unknown>>
export type DraftPath = readonly (string | number)[]

export const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a path; undefined if there is none. */
export function getAt(value: unknown, [head, ...rest]: DraftPath): unknown {
  if (head === undefined) return value
  if (Array.isArray(value)) return getAt(value[Number(head)], rest)
  return isDraft(value) ? getAt(value[head], rest) : undefined
}

/** A copy with another value at a path. Undefined removes a field. */
function replaceAt(value: unknown, [head, ...rest]: DraftPath, next: unknown): unknown {
  if (head === undefined) return next
  if (Array.isArray(value)) return value.map((item, at) => (at === head ? replaceAt(item, rest, next) : item))
  const { [head]: inner, ...others } = isDraft(value) ? value : {}
  const changed = replaceAt(inner, rest, next)
  return changed === undefined ? others : { ...(isDraft(value) ? value : {}), [head]: changed }
}

/** A copy of a configuration with another value at a path. */
export function setAt(draft: Draft, path: DraftPath, next: unknown): Draft {
  const changed = replaceAt(draft, path, next)
  return isDraft(changed) ? changed : draft
}

/** The objects of a list of the draft. */
export const listAt = (draft: unknown, path: DraftPath): readonly Draft[] => {
  const list = getAt(draft, path)
  return Array.isArray(list) ? list.filter(isDraft) : []
}

export const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Name of an item of a list: lines have an id, devices a serial. */
const toName = (item: unknown): string =>
  isDraft(item) ? toText(item.serial ?? item.id) : JSON.stringify(item)

/** The items of a list by their name; those without a name of their own by their position. */
function toNamed(list: readonly unknown[]): ReadonlyMap<string | number, unknown> {
  const named = new Map<string | number, unknown>()
  for (const [at, item] of list.entries()) {
    const name = toName(item)
    named.set(name === '' || named.has(name) ? at : name, item)
  }
  return named
}

function mergeLists(
  base: readonly unknown[],
  mine: readonly unknown[],
  theirs: readonly unknown[],
): unknown[] {
  const was = toNamed(base)
  const own = toNamed(mine)
  const newest = toNamed(theirs)
  const names = new Set([...newest.keys(), ...own.keys()])
  return [...names].flatMap((name) => {
    const [before, entered, stored] = [was.get(name), own.get(name), newest.get(name)]
    // Two people added different items with one name: both stay, and the page shows what is wrong.
    if (before === undefined && entered !== undefined && stored !== undefined && !isSame(entered, stored))
      return [stored, entered]
    const merged = merge(before, entered, stored)
    return merged === undefined ? [] : [merged]
  })
}

/**
 * Merges the entries of a person with the changes that others have saved since: what the person changed stays, all else
 * is as stored. Items of lists are the same if they have the same name. An object that the person removed but others
 * changed stays.
 */
export function merge(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isSame(base, mine)) return theirs
  if (isSame(base, theirs) || theirs === undefined) return mine
  if (mine === undefined) return isDraft(theirs) ? theirs : undefined
  if (Array.isArray(mine) && Array.isArray(theirs))
    return mergeLists(Array.isArray(base) ? base : [], mine, theirs)
  if (!isDraft(mine) || !isDraft(theirs)) return mine
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])]
  const merged = names.map(
    (name) => [name, merge(isDraft(base) ? base[name] : undefined, mine[name], theirs[name])] as const,
  )
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined))
}

/** Position of a line of a draft in a merged one; undefined if no line, or more than one, has its id there. */
export function findMovedLine(draft: Draft, at: number, merged: Draft): number | undefined {
  const id = getAt(draft, ['lines', at, 'id'])
  const found = listAt(merged, ['lines']).flatMap((line, moved) => (line.id === id ? [moved] : []))
  return found.length === 1 ? found[0] : undefined
}
