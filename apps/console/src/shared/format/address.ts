/** How many of the last names of an address tell a device apart in a narrow place. */
const COMPACT_PARTS = 3

/** The last names of a comma-joined address: 区域,…,阳光小区,3号楼,2单元 -> 阳光小区 / 3号楼 / 2单元. */
export const toCompactAddress = (nestaddr: string): string =>
  nestaddr.split(',').slice(-COMPACT_PARTS).join(' / ')

/** The whole address, its names apart. */
export const toWholeAddress = (nestaddr: string): string => nestaddr.replaceAll(',', ' / ')
