const SIGNS = 4

/** Position of the n-th of its siblings, from 0, in a sort path. */
export const toSortPosition = (index: number): string => index.toString(36).padStart(SIGNS, '0')
