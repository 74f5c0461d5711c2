import { treeLevels } from '@isotherm/contract/tree'

/** What is put in its place: anything with a comma-joined address from the project down. */
export interface Placed {
  readonly nestaddr: string
}

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

function toPlace({ nestaddr }: Placed): Place {
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

/** Addresses are taken apart once for each of what has one, not at each reading. */
const places = new WeakMap<Placed, Place>()

function placeOf(placed: Placed): Place {
  const known = places.get(placed)
  if (known) return known
  const place = toPlace(placed)
  places.set(placed, place)
  return place
}

/** A line of a building's cross-section: a floor, households whose floor is not known, or the inlets. */
export interface Storey<Row> {
  readonly floor: number | 'elsewhere' | 'inlet'
  /** One for each unit of the building, with what stands in it on this storey. */
  readonly cells: readonly (readonly Row[])[]
}

/** A building seen from the front: storeys from the top, units from left to right. */
export interface BuildingSection<Row> {
  readonly key: string
  readonly rows: readonly Row[]
  readonly units: readonly string[]
  readonly storeys: readonly Storey<Row>[]
}

type Floor = Storey<unknown>['floor']

const toFloor = ({ floor, isInlet }: Place): Floor => (isInlet ? 'inlet' : (floor ?? 'elsewhere'))

/** From the roof down; inlets are in the cellar, and what cannot be placed stands between. */
const rankOf = (floor: Floor): number =>
  floor === 'inlet' ? Number.POSITIVE_INFINITY : floor === 'elsewhere' ? 1_000 : -floor

function toSection<Row>(
  key: string,
  rows: readonly Row[],
  toPlaced: (row: Row) => Placed,
): BuildingSection<Row> {
  const placed = rows.map((row) => ({ row, place: placeOf(toPlaced(row)) }))
  const units = [...new Set(placed.map(({ place }) => place.unit))]
  const cells = new Map<Floor, Map<string, Row[]>>()
  for (const { row, place } of placed) {
    const floor = toFloor(place)
    const storey = cells.get(floor) ?? new Map<string, Row[]>()
    cells.set(floor, storey)
    storey.set(place.unit, [...(storey.get(place.unit) ?? []), row])
  }
  const storeys = [...cells]
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b))
    .map(([floor, storey]): Storey<Row> => ({ floor, cells: units.map((unit) => storey.get(unit) ?? []) }))
  return { key, rows, units, storeys }
}

/** The buildings that rows are in, each with its own, in the order in which they first come. */
export function toSections<Row>(
  rows: readonly Row[],
  toPlaced: (row: Row) => Placed,
): readonly BuildingSection<Row>[] {
  const byBuilding = new Map<string, Row[]>()
  for (const row of rows) {
    const { building } = placeOf(toPlaced(row))
    const inside = byBuilding.get(building)
    if (inside) inside.push(row)
    else byBuilding.set(building, [row])
  }
  return [...byBuilding].map(([key, inside]) => toSection(key, inside, toPlaced))
}

/** Rows in the fullest cell of each unit, added up: how many stand side by side in a building. */
export const toWidth = ({ units, storeys }: BuildingSection<unknown>): number =>
  units.reduce(
    (sum, _, unit) => sum + Math.max(1, ...storeys.map(({ cells }) => cells[unit]?.length ?? 0)),
    0,
  )
