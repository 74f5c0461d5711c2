/** Names of a place without its first `depth` names; at least the last one. */
export const toShortAddress = (nestaddr: string, depth: number): string => {
  const names = nestaddr.split(',').slice(depth)
  return (names.length > 1 ? names.slice(1) : names).join(' ')
}

/** Number of common names above the highest of some places. */
export const findDepth = (nestaddrs: readonly string[]): number =>
  nestaddrs.reduce((least, nestaddr) => Math.min(least, nestaddr.split(',').length), 99) - 1
