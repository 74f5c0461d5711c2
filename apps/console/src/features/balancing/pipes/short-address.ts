/** Names of a place below the highest of some places, or its own name if it is that one. `depth` is that of `findDepth`. */
export const toShortAddress = (nestaddr: string, depth: number): string => {
  const names = nestaddr.split(',').slice(depth)
  return (names.length > 1 ? names.slice(1) : names).join(' ')
}

/** Number of names above the highest of some places. */
export const findDepth = (nestaddrs: readonly string[]): number =>
  nestaddrs.reduce(
    (least, nestaddr) => Math.min(least, nestaddr.split(',').length),
    Number.POSITIVE_INFINITY,
  ) - 1
