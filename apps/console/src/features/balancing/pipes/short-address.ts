/** Names of a place below the highest of a loop, which `depth` names stand above; of the highest its own. */
export const toShortAddress = (nestaddr: string, depth: number): string => {
  const names = nestaddr.split(',').slice(depth)
  return (names.length > 1 ? names.slice(1) : names).join(' ')
}

/** How many names stand above the highest of some places. */
export const findDepth = (nestaddrs: readonly string[]): number =>
  nestaddrs.reduce((least, nestaddr) => Math.min(least, nestaddr.split(',').length), 99) - 1
