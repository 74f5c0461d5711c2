/** The page to show of a list that may have become shorter: the last one at most. Pages count from 1. */
export const toShownPage = (chosen: number, entries: number, perPage: number): number =>
  Math.max(1, Math.min(chosen, Math.ceil(entries / perPage)))
