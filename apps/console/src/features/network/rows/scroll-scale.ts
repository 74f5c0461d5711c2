/**
 * Most height the list's content gets, px. Browsers cap an element's height (Firefox near 17.8 million px,
 * Chrome and Safari near 33.5), which is some 600,000 rows; a longer list is scrolled in scale.
 */
export const MOST_PX = 15_000_000

/** Scrolling by less than so many views is a wheel, a finger or a key and moves rows one to one. */
const NEAR_VIEWS = 3
/** So far may the thumb be from where it belongs before it is put right, in views. */
const DRIFT_VIEWS = 20

/** A list of `totalPx` seen through a window of `viewPx`. */
export interface Extent {
  readonly totalPx: number
  readonly viewPx: number
}

/** Where the list stands: `topPx` for the browser, `virtualPx` in the list's own height. */
export interface ScrollPlace {
  readonly topPx: number
  readonly virtualPx: number
}

const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, value))

/** Height of the content in the document. */
export const toContentPx = ({ totalPx }: Extent): number => Math.min(totalPx, MOST_PX)

const mostVirtual = ({ totalPx, viewPx }: Extent): number => Math.max(0, totalPx - viewPx)
const mostTop = (extent: Extent): number => Math.max(0, toContentPx(extent) - extent.viewPx)

const ratio = (extent: Extent): number => mostVirtual(extent) / Math.max(1, mostTop(extent))

const isScaled = ({ totalPx }: Extent): boolean => totalPx > MOST_PX

/** The place at a height of the list. */
export function placeAt(extent: Extent, virtualPx: number): ScrollPlace {
  const virtual = clamp(virtualPx, mostVirtual(extent))
  return { virtualPx: virtual, topPx: isScaled(extent) ? virtual / ratio(extent) : virtual }
}

/**
 * The place after the browser scrolled to `topPx`. In a list in scale a short way moves the rows by as much,
 * a long one (the thumb was dragged) to the same share of the whole. When the answer's `topPx` is not the one
 * given, the browser has to be put there: the thumb had drifted, or the end was near.
 */
export function scrollFrom(extent: Extent, from: ScrollPlace, topPx: number): ScrollPlace {
  if (!isScaled(extent)) return { topPx, virtualPx: clamp(topPx, mostVirtual(extent)) }
  const moved = topPx - from.topPx
  const isShort = Math.abs(moved) <= NEAR_VIEWS * extent.viewPx
  const atStart = topPx <= 0
  const atEnd = topPx >= mostTop(extent) - 1
  if (!isShort) return { topPx, virtualPx: clamp(topPx * ratio(extent), mostVirtual(extent)) }
  const virtualPx = clamp(from.virtualPx + moved, mostVirtual(extent))
  const right = placeAt(extent, virtualPx)
  // The browser counts in whole pixels: what is left of the last one would never be reached.
  if (right.topPx < 1 && atStart) return { topPx: 0, virtualPx: 0 }
  if (right.topPx > mostTop(extent) - 1 && atEnd) return placeAt(extent, mostVirtual(extent))
  const isNearEnd = topPx < 2 * extent.viewPx || topPx > mostTop(extent) - 2 * extent.viewPx
  if (isNearEnd || Math.abs(right.topPx - topPx) > DRIFT_VIEWS * extent.viewPx) return right
  return { topPx, virtualPx }
}
