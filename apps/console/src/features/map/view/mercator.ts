import { toLatitude, toLongitude, toMercatorX, toMercatorY } from '@isotherm/kernel/web-mercator'

/** A position, degrees. */
export type LngLat = readonly [longitudeDeg: number, latitudeDeg: number]

/** The view of the map: centre and zoom. */
export interface MapView {
  readonly center: LngLat
  /** At zoom 0 the world is 512 px wide; each step doubles that. */
  readonly zoom: number
}

/** A bounding box, degrees; it does not cross the date line. */
export interface Bounds {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

export interface Size {
  readonly widthPx: number
  readonly heightPx: number
}

/** A tile of the slippy map grid. */
export interface TileId {
  readonly z: number
  readonly x: number
  readonly y: number
}

const TILE_PX = 512
/** Largest zoom. */
export const MAX_ZOOM = 19
/** Deepest tiles. */
const MAX_TILE_ZOOM = 18

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

/** Place in the square of the Web Mercator map, 0 to 1 from the west and from the north. */
export const toSquare = ([longitudeDeg, latitudeDeg]: LngLat): readonly [x: number, y: number] => [
  toMercatorX(longitudeDeg),
  toMercatorY(latitudeDeg),
]

/** The reverse of toSquare. */
export const fromSquare = (x: number, y: number): LngLat => [toLongitude(x), toLatitude(y)]

/** The bounding box of a view. */
export function toBounds({ center, zoom }: MapView, { widthPx, heightPx }: Size): Bounds {
  const [x, y] = toSquare(center)
  const worldPx = TILE_PX * 2 ** zoom
  const [west, north] = fromSquare(
    clamp(x - widthPx / 2 / worldPx, 0, 1),
    clamp(y - heightPx / 2 / worldPx, 0, 1),
  )
  const [east, south] = fromSquare(
    clamp(x + widthPx / 2 / worldPx, 0, 1),
    clamp(y + heightPx / 2 / worldPx, 0, 1),
  )
  return { west, south, east, north }
}

/** Margin around a fitted box, as a share of the view. */
const MARGIN = 0.12
/** Zoom for a single building with the streets around it. */
const NEAREST_FIT = 16.5

/** The view that fits a bounding box. */
export function toFit({ west, south, east, north }: Bounds, { widthPx, heightPx }: Size): MapView {
  const [left, bottom] = toSquare([west, south])
  const [right, top] = toSquare([east, north])
  const room = 1 - 2 * MARGIN
  const across = Math.log2((widthPx * room) / TILE_PX / Math.max(right - left, 1e-9))
  const down = Math.log2((heightPx * room) / TILE_PX / Math.max(bottom - top, 1e-9))
  return {
    center: fromSquare((left + right) / 2, (top + bottom) / 2),
    zoom: clamp(Math.min(across, down), 0, NEAREST_FIT),
  }
}

/** The view at a zoom that shows a point `upPx` above the middle. */
export function toLifted(point: LngLat, zoom: number, upPx: number): MapView {
  const [x, y] = toSquare(point)
  return { center: fromSquare(x, y + upPx / (TILE_PX * 2 ** zoom)), zoom }
}

/** Zoom steps of a click on a cluster whose box already fills the view. */
const CLOSER = 1.5

/** The view that fits a bounding box, and is nearer than the given view in any case. */
export function toCloser(part: Bounds, from: MapView, size: Size): MapView {
  const fit = toFit(part, size)
  return fit.zoom >= from.zoom + 0.5 ? fit : { ...fit, zoom: Math.min(MAX_ZOOM, from.zoom + CLOSER) }
}

/** The tiles that cover a view, from the north-west. Each is 512 to 1024 px wide. */
export function toTiles(view: MapView, size: Size): readonly TileId[] {
  const z = clamp(Math.floor(view.zoom), 0, MAX_TILE_ZOOM)
  const count = 2 ** z
  const { west, south, east, north } = toBounds(view, size)
  const [left, top] = toSquare([west, north])
  const [right, bottom] = toSquare([east, south])
  const toIndex = (share: number) => clamp(Math.floor(share * count), 0, count - 1)
  const tiles: TileId[] = []
  for (let y = toIndex(top); y <= toIndex(bottom); y += 1)
    for (let x = toIndex(left); x <= toIndex(right); x += 1) tiles.push({ z, x, y })
  return tiles
}

/** True if two views differ by less than a screen can show. */
export function isSameView(a: MapView, b: MapView): boolean {
  const [ax, ay] = toSquare(a.center)
  const [bx, by] = toSquare(b.center)
  const worldPx = TILE_PX * 2 ** a.zoom
  return Math.abs(a.zoom - b.zoom) < 0.01 && Math.hypot(ax - bx, ay - by) * worldPx < 1
}
