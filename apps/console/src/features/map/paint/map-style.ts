import type { MapColours } from './map-colours.ts'
import type { DrawnPoint } from './to-drawn.ts'

/** Style of the painted network. */
export interface MapStyle {
  readonly colours: MapColours
  readonly isByHealth: boolean
}

/** A circle to draw, px. */
export interface Dot {
  /** Radius of the fill; the edge lies around it. */
  readonly radiusPx: number
  readonly fill: string
  readonly edge: string
  readonly edgePx: number
}

type Stop = readonly [at: number, value: number]

/** Linear interpolation between stops, constant before the first and after the last. */
export const through =
  (...stops: readonly [Stop, ...Stop[]]) =>
  (at: number): number => {
    let [from, value] = stops[0]
    for (const [to, next] of stops) {
      if (at < to) return at <= from ? value : value + ((at - from) / (to - from)) * (next - value)
      ;[from, value] = [to, next]
    }
    return value
  }

const toPlaceRadius = through([10, 3], [14, 5], [18, 11])
const toStationRadius = through([8, 7], [14, 11], [18, 17])
const toCoreRadius = through([8, 4], [14, 7], [18, 12])
/** Radius by the square root of the count, so that the area shows the count. */
const toClusterRadius = through([1, 11], [40, 34])

/** Radius of a point without its edge, px. */
export function toRadius({ kind, count }: DrawnPoint, zoom: number): number {
  if (kind === 'cluster') return toClusterRadius(Math.sqrt(count))
  return kind === 'station' ? toStationRadius(zoom) : toPlaceRadius(zoom)
}

/** Radius of the ring around the selected point, px. */
export const toChosenRadius = through([10, 11], [14, 15], [18, 22])

const toMainWidth = through([10, 0.6], [18, 5])
const toBranchWidth = through([10, 0.6], [18, 2.5])

/** Line width of a pipe, px; it does not depend on the diameter. */
export const toPipeWidth = (isMain: boolean, zoom: number): number =>
  (isMain ? toMainWidth : toBranchWidth)(zoom)

/** Fill colour of a point; the surface colour without a value. */
export function toFill({ share, health }: DrawnPoint, { colours, isByHealth }: MapStyle): string {
  if (isByHealth) return colours.health[health]
  if (share === undefined) return colours.surface
  return colours.ramp[Math.round(share * (colours.ramp.length - 1))] ?? colours.surface
}

const STATION_EDGE_PX = 2
const ALARM_EDGE_PX = 2.5

/** The circles of a point, from bottom to top. The edge shows if half or more of the devices are abnormal. */
export function toDots(point: DrawnPoint, zoom: number, mapStyle: MapStyle): readonly Dot[] {
  const { colours } = mapStyle
  const isAlarm = point.health === 'alarm'
  const fill = toFill(point, mapStyle)
  const edge = isAlarm ? colours.health.alarm : colours.ink
  const radiusPx = toRadius(point, zoom)
  if (point.kind !== 'station') return [{ radiusPx, fill, edge, edgePx: isAlarm ? ALARM_EDGE_PX : 1 }]
  return [
    { radiusPx, fill: colours.surface, edge, edgePx: STATION_EDGE_PX },
    { radiusPx: toCoreRadius(zoom), fill, edge: fill, edgePx: 0 },
  ]
}
