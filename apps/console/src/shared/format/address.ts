/** Number of trailing names in a compact address. */
const COMPACT_PARTS = 3

/** Last names of a comma-joined address: 区域,…,阳光小区,3号楼,2单元 -> 阳光小区 / 3号楼 / 2单元. */
export const toCompactAddress = (nestaddr: string): string =>
  nestaddr.split(',').slice(-COMPACT_PARTS).join(' / ')

/** The whole address with separated names. */
export const toWholeAddress = (nestaddr: string): string => nestaddr.replaceAll(',', ' / ')
