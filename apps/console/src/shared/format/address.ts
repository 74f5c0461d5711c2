/** Number of names above the residential area: provider, company, region, station. */
const ABOVE_AREA = 4
/** Smallest number of names in a compact address. */
const COMPACT_PARTS = 3

/**
 * The names of a comma-joined address that distinguish places: from the residential area on, or the last three.
 * 区域,…,阳光小区,3号楼,2单元,301 -> 阳光小区 / 3号楼 / 2单元 / 301.
 */
export function toCompactAddress(nestaddr: string): string {
  const names = nestaddr.split(',')
  return names.slice(-Math.max(COMPACT_PARTS, names.length - ABOVE_AREA)).join(' / ')
}

/** The whole address with separated names. */
export const toWholeAddress = (nestaddr: string): string => nestaddr.replaceAll(',', ' / ')
