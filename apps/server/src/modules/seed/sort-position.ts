const SIGNS = 4

/** Position of the n-th of so many siblings, from 0, in a sort path. */
export const toSortPosition = (index: number, _siblings: number): string =>
  index.toString(36).padStart(SIGNS, '0')
