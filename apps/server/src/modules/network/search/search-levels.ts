import type { KnownPart } from './search-store.ts'

/** Levels at which each part of an address may stand; the first and the last stand at one each. */
export type PartLevels = readonly (readonly number[])[]

/** Whether a part may stand at `level` below one at `above`; a glued one also in the same name. */
const mayFollow = ({ glued }: KnownPart, above: number, level: number): boolean =>
  above < level || (glued !== undefined && above === level)

/** The levels at which all parts can stand in order, undefined when there are none. */
function toChain(parts: readonly KnownPart[], first: number, last: number): PartLevels | undefined {
  let reached: readonly number[] = [first]
  const down = parts.map((part, index) => {
    if (index > 0) {
      const above = reached
      reached = [...part.names.keys()].filter(
        (level) =>
          above.some((other) => mayFollow(part, other, level)) &&
          (index < parts.length - 1 || level === last),
      )
    }
    return reached
  })
  let below: readonly number[] | undefined
  const chain = down.toReversed().map((levels, index) => {
    const next = below
    const part = parts[parts.length - index]
    below =
      next === undefined || part === undefined
        ? levels
        : levels.filter((level) => next.some((other) => mayFollow(part, level, other)))
    return below
  })
  return chain.some((levels) => levels.length === 0) ? undefined : chain.toReversed()
}

const levelsOf = (part: KnownPart | undefined): readonly number[] =>
  [...(part?.names.keys() ?? [])].toSorted((left, right) => left - right)

/**
 * Levels that an address may run through, the best first: what is found at a higher level, and of that what is
 * nearer to where the address begins, as 5-2-301 is rather of building 5 than of heat station 5.
 */
export const toLevels = (parts: readonly KnownPart[]): readonly PartLevels[] =>
  levelsOf(parts.at(-1)).flatMap((last) =>
    levelsOf(parts[0])
      .filter((first) => first < last)
      .toReversed()
      .flatMap((first) => {
        const chain = toChain(parts, first, last)
        return chain ? [chain] : []
      }),
  )
