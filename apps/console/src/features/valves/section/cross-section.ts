import type { Device } from '@isotherm/contract/devices'
import { treeLevels } from '@isotherm/contract/tree'
import type { ValveRow } from '../valve-row.ts'

/** Where a valve is in its building. */
interface Place {
  /** Names down to the building, comma-joined: it tells buildings of one name apart. */
  readonly building: string
  /** Empty for a valve of the whole building. */
  readonly unit: string
  /** Absent for a unit's own valve, and for a household whose number tells no floor. */
  readonly floor: number | undefined
  /** Whether it is a unit's or a building's own valve, not a household's. */
  readonly isInlet: boolean
}

/** A household's number: its floor and two digits more, as 301 or 1202. */
const HOUSEHOLD = /^(?<floor>\d{1,2})\d{2}(?!\d)/

function toPlace({ nestaddr }: Device): Place {
  const names = nestaddr.split(',')
  const household = names[treeLevels.household - 1]
  const floor = HOUSEHOLD.exec(household ?? '')?.groups?.floor
  return {
    building: names.slice(0, treeLevels.building).join(','),
    unit: names[treeLevels.unit - 1] ?? '',
    floor: floor === undefined ? undefined : Number(floor),
    isInlet: household === undefined,
  }
}

/** Addresses are taken apart once for each device, not at each reading. */
const places = new WeakMap<Device, Place>()

function placeOf(device: Device): Place {
  const known = places.get(device)
  if (known) return known
  const place = toPlace(device)
  places.set(device, place)
  return place
}

/** The valves of one unit on one storey. */
export type StoreyCell = readonly ValveRow[]

/** A line of a building's cross-section: a floor, households whose floor is not known, or the inlets. */
export interface Storey {
  readonly floor: number | 'elsewhere' | 'inlet'
  /** One for each unit of the building. */
  readonly cells: readonly StoreyCell[]
}

/** A building seen from the front: storeys from the top, units from left to right. */
export interface BuildingSection {
  readonly key: string
  readonly rows: readonly ValveRow[]
  readonly units: readonly string[]
  readonly storeys: readonly Storey[]
}

const toFloor = ({ floor, isInlet }: Place): Storey['floor'] => (isInlet ? 'inlet' : (floor ?? 'elsewhere'))

/** From the roof down; inlets are in the cellar, and what cannot be placed stands between. */
const rankOf = (floor: Storey['floor']): number =>
  floor === 'inlet' ? Number.POSITIVE_INFINITY : floor === 'elsewhere' ? 1_000 : -floor

function toSection(key: string, rows: readonly ValveRow[]): BuildingSection {
  const placed = rows.map((row) => ({ row, place: placeOf(row.device) }))
  const units = [...new Set(placed.map(({ place }) => place.unit))]
  const cells = new Map<Storey['floor'], Map<string, ValveRow[]>>()
  for (const { row, place } of placed) {
    const floor = toFloor(place)
    const storey = cells.get(floor) ?? new Map<string, ValveRow[]>()
    cells.set(floor, storey)
    storey.set(place.unit, [...(storey.get(place.unit) ?? []), row])
  }
  const storeys = [...cells]
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b))
    .map(([floor, storey]): Storey => ({ floor, cells: units.map((unit) => storey.get(unit) ?? []) }))
  return { key, rows, units, storeys }
}

/** The buildings that rows are in, each with its own, in the order in which they first come. */
export function toSections(rows: readonly ValveRow[]): readonly BuildingSection[] {
  const byBuilding = new Map<string, ValveRow[]>()
  for (const row of rows) {
    const { building } = placeOf(row.device)
    const inside = byBuilding.get(building)
    if (inside) inside.push(row)
    else byBuilding.set(building, [row])
  }
  return [...byBuilding].map(([key, inside]) => toSection(key, inside))
}

/** Valves in the fullest cell of each unit, added up: how many stand side by side in a building. */
export const toWidth = ({ units, storeys }: BuildingSection): number =>
  units.reduce(
    (sum, _, unit) => sum + Math.max(1, ...storeys.map(({ cells }) => cells[unit]?.length ?? 0)),
    0,
  )
