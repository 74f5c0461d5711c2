/** Default width of the tree panel (specification, section 9), px. */
export const SIDE_WIDTH_PX = 280
/** Range of the width, px. A narrower panel cuts names, a wider one leaves too little space for the page. */
export const MIN_SIDE_PX = 200
export const MAX_SIDE_PX = 640
/** Step of an arrow key, px. */
const STEP_PX = 16

export const toSideWidth = (px: number): number =>
  Number.isFinite(px) ? Math.round(Math.min(MAX_SIDE_PX, Math.max(MIN_SIDE_PX, px))) : SIDE_WIDTH_PX

const toStorageKey = (userId: number | undefined): string => `isotherm.tree-width.${userId ?? ''}`

/** Width chosen by this user on this machine, else 280 px. */
export function readSideWidth(store: Pick<Storage, 'getItem'>, userId: number | undefined): number {
  const stored = store.getItem(toStorageKey(userId))
  return stored === null ? SIDE_WIDTH_PX : toSideWidth(Number.parseFloat(stored))
}

export const storeSideWidth = (
  store: Pick<Storage, 'setItem'>,
  userId: number | undefined,
  px: number,
): void => store.setItem(toStorageKey(userId), String(px))

/** New width for a key of the ARIA separator pattern; undefined for other keys. */
export function moveByKey(px: number, key: string): number | undefined {
  if (key === 'ArrowLeft') return toSideWidth(px - STEP_PX)
  if (key === 'ArrowRight') return toSideWidth(px + STEP_PX)
  if (key === 'Home') return MIN_SIDE_PX
  if (key === 'End') return MAX_SIDE_PX
  return key === 'Enter' ? SIDE_WIDTH_PX : undefined
}
