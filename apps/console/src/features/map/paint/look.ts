import type { MapColours } from './map-colours.ts'
import type { DrawnPoint } from './to-drawn.ts'

/** What the drawn network looks like, besides what it is. */
export interface Look {
  readonly colours: MapColours
  readonly isByHealth: boolean
}

/** A circle as it is drawn, px. */
export interface Dot {
  /** Of what is filled; its edge lies around that. */
  readonly radiusPx: number
  readonly fill: string
  readonly edge: string
  readonly edgePx: number
}

type Stop = readonly [at: number, value: number]

/** A function that goes straight from stop to stop, and stays as it is before the first and after the last. */
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
/** By the root of how many it stands for: its area says that. */
const toClusterRadius = through([1, 11], [40, 34])

/** How far a point reaches from its middle, without its edge, px. */
export function toRadius({ kind, count }: DrawnPoint, zoom: number): number {
  if (kind === 'cluster') return toClusterRadius(Math.sqrt(count))
  return kind === 'station' ? toStationRadius(zoom) : toPlaceRadius(zoom)
}

/** Around what is chosen, px. */
export const toChosenRadius = through([10, 11], [14, 15], [18, 22])

const toMainWidth = through([10, 0.6], [18, 5])
const toBranchWidth = through([10, 0.6], [18, 2.5])

/** How wide a pipe is drawn, px; it says nothing of its diameter. */
export const toPipeWidth = (isMain: boolean, zoom: number): number =>
  (isMain ? toMainWidth : toBranchWidth)(zoom)

/** What nobody tells anything of is as the page's surface. */
export function toFill({ share, health }: DrawnPoint, { colours, isByHealth }: Look): string {
  if (isByHealth) return colours.health[health]
  if (share === undefined) return colours.surface
  return colours.ramp[Math.round(share * (colours.ramp.length - 1))] ?? colours.surface
}

const STATION_EDGE_PX = 2
const ALARM_EDGE_PX = 2.5

/** The circles of a point, the lowest first. Where half of the devices or more fail, the edge says so. */
export function toDots(point: DrawnPoint, zoom: number, look: Look): readonly Dot[] {
  const { colours } = look
  const isAlarm = point.health === 'alarm'
  const fill = toFill(point, look)
  const edge = isAlarm ? colours.health.alarm : colours.ink
  const radiusPx = toRadius(point, zoom)
  if (point.kind !== 'station') return [{ radiusPx, fill, edge, edgePx: isAlarm ? ALARM_EDGE_PX : 1 }]
  return [
    { radiusPx, fill: colours.surface, edge, edgePx: STATION_EDGE_PX },
    { radiusPx: toCoreRadius(zoom), fill, edge: fill, edgePx: 0 },
  ]
}
