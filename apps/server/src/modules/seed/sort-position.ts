import { arrange, END } from '../network/index.ts'

/** Positions of siblings, by the number of siblings. */
const known = new Map<number, readonly string[]>()

function listPositions(siblings: number): readonly string[] {
  const positions = known.get(siblings) ?? arrange(Array.from({ length: siblings }, () => undefined))
  known.set(siblings, positions)
  return positions
}

/** Suffix that the n-th sibling, from 0, adds to its parent's sort path. */
export const toSortPosition = (index: number, siblings: number): string =>
  `${listPositions(siblings)[index] ?? ''}${END}`
