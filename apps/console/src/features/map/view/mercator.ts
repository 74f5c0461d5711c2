import { toLatitude, toLongitude, toMercatorX, toMercatorY } from '@isotherm/kernel/web-mercator'

/** A point of the map, degrees. */
export type LngLat = readonly [longitudeDeg: number, latitudeDeg: number]

/** What of the world the map shows: its middle, and how near, as web maps count it. */
export interface MapView {
  readonly center: LngLat
  /** At 0 the whole world is 512 px wide; each step doubles that. */
  readonly zoom: number
}

/** A part of the world, degrees; it does not cross the date line. */
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

/** A tile of the grid of web maps. */
export interface TileId {
  readonly z: number
  readonly x: number
  readonly y: number
}

const TILE_PX = 512
/** Nearer than this nothing more is to be seen. */
export const MAX_ZOOM = 19
/** Deeper tiles hold no more than these. */
const MAX_TILE_ZOOM = 18

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

/** Place in the square of the Web Mercator map, 0 to 1 from the west and from the north. */
export const toSquare = ([longitudeDeg, latitudeDeg]: LngLat): readonly [x: number, y: number] => [
  toMercatorX(longitudeDeg),
  toMercatorY(latitudeDeg),
]

/** The reverse of toSquare. */
export const fromSquare = (x: number, y: number): LngLat => [toLongitude(x), toLatitude(y)]

/** What a view shows in a box of a size. */
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

/** Room left around what is fitted into the view, as a share of the box. */
const MARGIN = 0.12
/** One building alone is shown with the streets around it. */
const NEAREST_FIT = 16.5

/** The view that shows all of a part of the world. */
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

/** The view of a point from so near that lies so far above the middle of the box. */
export function toLifted(point: LngLat, zoom: number, upPx: number): MapView {
  const [x, y] = toSquare(point)
  return { center: fromSquare(x, y + upPx / (TILE_PX * 2 ** zoom)), zoom }
}

/** What a click on a cluster does where its box is already as near as that, zoom steps. */
const CLOSER = 1.5

/** The view of a part of the world that is seen from a view, and nearer than that in any case. */
export function toCloser(part: Bounds, from: MapView, size: Size): MapView {
  const fit = toFit(part, size)
  return fit.zoom >= from.zoom + 0.5 ? fit : { ...fit, zoom: Math.min(MAX_ZOOM, from.zoom + CLOSER) }
}

/** The tiles that cover a view, from the north-west; each is 512 to 1024 px wide on it. */
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

/** Whether two views look the same, but for what a screen cannot show. */
export function isSameView(a: MapView, b: MapView): boolean {
  const [ax, ay] = toSquare(a.center)
  const [bx, by] = toSquare(b.center)
  const worldPx = TILE_PX * 2 ** a.zoom
  return Math.abs(a.zoom - b.zoom) < 0.01 && Math.hypot(ax - bx, ay - by) * worldPx < 1
}
