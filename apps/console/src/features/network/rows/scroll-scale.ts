/**
 * Largest height of the content of the list, px. Browsers limit the height of an element (Firefox near 17.8 million px,
 * Chrome and Safari near 33.5), which is about 600,000 rows. A longer list is scrolled to scale.
 */
export const MAX_PX = 15_000_000

/** A scroll by less than this many views comes from wheel, finger or key, and moves rows one to one. */
const NEAR_VIEWS = 3
/** Largest distance of the thumb from its right position before it is corrected, in views. */
const DRIFT_VIEWS = 20

/** Height of the list and of its visible part. */
export interface Extent {
  readonly totalPx: number
  readonly viewPx: number
}

/** Scroll position: `topPx` in the browser, `virtualPx` in the full height of the list. */
export interface ScrollPlace {
  readonly topPx: number
  readonly virtualPx: number
}

const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, value))

/** Height of the content in the document. */
export const toContentPx = ({ totalPx }: Extent): number => Math.min(totalPx, MAX_PX)

const maxVirtual = ({ totalPx, viewPx }: Extent): number => Math.max(0, totalPx - viewPx)
const maxTop = (extent: Extent): number => Math.max(0, toContentPx(extent) - extent.viewPx)

const ratio = (extent: Extent): number => maxVirtual(extent) / Math.max(1, maxTop(extent))

const isScaled = ({ totalPx }: Extent): boolean => totalPx > MAX_PX

/** The place at a height of the list. */
export function placeAt(extent: Extent, virtualPx: number): ScrollPlace {
  const virtual = clamp(virtualPx, maxVirtual(extent))
  return { virtualPx: virtual, topPx: isScaled(extent) ? virtual / ratio(extent) : virtual }
}

/**
 * The place after the browser scrolled to `topPx`. In a scaled list, a short scroll moves the rows by its own distance, and
 * a long one (a dragged thumb) to the same share of the list. If the returned `topPx` differs, the caller must scroll the
 * browser there: the thumb had drifted, or an end is near.
 */
export function scrollFrom(extent: Extent, from: ScrollPlace, topPx: number): ScrollPlace {
  if (!isScaled(extent)) return { topPx, virtualPx: clamp(topPx, maxVirtual(extent)) }
  const moved = topPx - from.topPx
  const isShort = Math.abs(moved) <= NEAR_VIEWS * extent.viewPx
  const atStart = topPx <= 0
  const atEnd = topPx >= maxTop(extent) - 1
  if (!isShort) return { topPx, virtualPx: clamp(topPx * ratio(extent), maxVirtual(extent)) }
  const virtualPx = clamp(from.virtualPx + moved, maxVirtual(extent))
  const right = placeAt(extent, virtualPx)
  // The browser scrolls in whole pixels, so it would never reach a remaining fraction.
  if (right.topPx < 1 && atStart) return { topPx: 0, virtualPx: 0 }
  if (right.topPx > maxTop(extent) - 1 && atEnd) return placeAt(extent, maxVirtual(extent))
  const isNearEnd = topPx < 2 * extent.viewPx || topPx > maxTop(extent) - 2 * extent.viewPx
  if (isNearEnd || Math.abs(right.topPx - topPx) > DRIFT_VIEWS * extent.viewPx) return right
  return { topPx, virtualPx }
}
