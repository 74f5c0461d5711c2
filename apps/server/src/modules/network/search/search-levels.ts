import type { AddressPart } from '../names/search-text.ts'

/** A part of an address with the number of names that contain it, by level, in the search scope's companies. */
export interface KnownPart extends AddressPart {
  readonly names: ReadonlyMap<number, number>
}

/** Possible levels of each part of an address. The first and the last part have exactly one level. */
export type PartLevels = readonly (readonly number[])[]

/** Whether a part may be at `level` if the previous part is at `above`. A part that can be joined with the previous one may be in the same name. */
const mayFollow = ({ withPrevious }: KnownPart, above: number, level: number): boolean =>
  above < level || (withPrevious !== undefined && above === level)

/** The levels at which all parts can follow each other; undefined if there are none. */
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
 * Possible level chains of an address, best first: the last part at a higher level, then the first part as near to
 * it as possible. 5-2-301 is more likely in building 5 than in heat station 5.
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
