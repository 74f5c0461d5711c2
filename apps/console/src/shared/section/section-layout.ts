import { treeLevels } from '@isotherm/contract/tree'

/** A row with a comma-joined address from the project down. */
export interface Placed {
  readonly nestaddr: string
}

/** Place of a valve in its building. */
interface Place {
  /** Comma-joined names down to the building, unique among buildings with the same name. */
  readonly building: string
  /** Empty for a valve of the whole building. */
  readonly unit: string
  /** Floor; absent for a unit valve, and for a household number without a floor. */
  readonly floor: number | undefined
  /** Whether it is the valve of a unit or building, not of a household. */
  readonly isInlet: boolean
}

/** Household number: floor and two digits, such as 301 or 1202. */
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

/** Cache of parsed addresses by row. */
const places = new WeakMap<Placed, Place>()

function placeOf(placed: Placed): Place {
  const known = places.get(placed)
  if (known) return known
  const place = toPlace(placed)
  places.set(placed, place)
  return place
}

/** A line of a cross-section: a floor, the households without a known floor, or the inlets. */
export interface Storey<Row> {
  readonly floor: number | 'elsewhere' | 'inlet'
  /** One cell for each unit, with its rows on this storey. */
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

/** Sort key of a storey: upper floors first, then rows without a known floor, then the inlets in the cellar. */
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

/** Groups rows by building, in order of first appearance. */
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

/** Width of a building in cells: the sum of the fullest cell of each unit. */
export const toWidth = ({ units, storeys }: BuildingSection<unknown>): number =>
  units.reduce(
    (sum, _, unit) => sum + Math.max(1, ...storeys.map(({ cells }) => cells[unit]?.length ?? 0)),
    0,
  )
