import type { CampaignMember } from '@isotherm/contract/balancing/campaign'
import type { MapPlace } from '@isotherm/contract/network/map'
import { type MapValues, toMemberSections } from './member-map.ts'

/** A building, or a part of one, with its address and position, degrees. */
export type PlacedBuilding = Pick<MapPlace, 'longitudeDeg' | 'latitudeDeg'> & { readonly nestaddr: string }

/** A building on the plan: its centre in plan units, and its deviation from the mean return, K. */
export interface PlanSpot {
  /** Comma-joined names down to the building. */
  readonly key: string
  readonly x: number
  readonly y: number
  readonly valueK: number | undefined
}

/** Width and maximum height of a plan, in plan units. */
export const PLAN_WIDTH = 360
export const PLAN_HEIGHT = 240
export const PLAN_MARGIN = 26
const LARGEST = 13
const SMALLEST = 4

/** Size of a spot so that most spots do not touch, in plan units. */
export function toRadius(spots: readonly Pick<PlanSpot, 'x' | 'y'>[]): number {
  const nearest = spots
    .map((one) =>
      Math.min(
        ...spots.flatMap((other) => (other === one ? [] : Math.hypot(other.x - one.x, other.y - one.y))),
      ),
    )
    .toSorted((one, other) => one - other)
  const usual = nearest[Math.floor(nearest.length / 2)] ?? 0
  return Math.min(LARGEST, Math.max(SMALLEST, 0.48 * usual))
}

const toRadians = (deg: number): number => (deg * Math.PI) / 180

/** Projects positions onto the plan: north is up, with one scale for both axes. */
function project(places: readonly PlacedBuilding[]): readonly { readonly x: number; readonly y: number }[] {
  const middle = places.reduce((sum, { latitudeDeg }) => sum + latitudeDeg, 0) / places.length
  const flat = places.map(({ longitudeDeg, latitudeDeg }) => ({
    x: longitudeDeg * Math.cos(toRadians(middle)),
    y: -latitudeDeg,
  }))
  const [west, east] = [Math.min(...flat.map(({ x }) => x)), Math.max(...flat.map(({ x }) => x))]
  const [north, south] = [Math.min(...flat.map(({ y }) => y)), Math.max(...flat.map(({ y }) => y))]
  const scale = Math.min(
    (PLAN_WIDTH - 2 * PLAN_MARGIN) / (east - west || 1),
    (PLAN_HEIGHT - 2 * PLAN_MARGIN) / (south - north || 1),
  )
  return flat.map(({ x, y }) => ({
    x: PLAN_WIDTH / 2 + scale * (x - (west + east) / 2),
    y: PLAN_HEIGHT / 2 + scale * (y - (north + south) / 2),
  }))
}

/**
 * The buildings of a campaign at their positions, with the area-weighted mean of their valves. Undefined if fewer than
 * two, or less than half of them, have a position.
 */
export function toDeviationPlan(
  members: readonly CampaignMember[],
  values: MapValues,
  places: readonly PlacedBuilding[],
): readonly PlanSpot[] | undefined {
  const placeOf = new Map(places.map((place) => [place.nestaddr, place]))
  const sections = toMemberSections(members)
  const placed = sections.flatMap((section) => {
    const own = placeOf.get(section.key)
    return own ? [{ ...section, own }] : []
  })
  if (placed.length < 2 || 2 * placed.length < sections.length) return undefined
  const spots = project(placed.map(({ own }) => own))
  return placed.flatMap(({ key, rows }, index): PlanSpot[] => {
    const spot = spots[index]
    if (!spot) return []
    let [sum, areaM2] = [0, 0]
    for (const row of rows) {
      const value = values.get(row.deviceId)
      if (value === undefined) continue
      sum += value * row.areaM2
      areaM2 += row.areaM2
    }
    return [{ key, ...spot, valueK: areaM2 > 0 ? sum / areaM2 : undefined }]
  })
}
