import type { GroundPosition } from './gcj02.ts'
import { createRandom } from './random.ts'

/** Position of a residential area in a generated town: stations and their areas are counted from 0. */
export interface TownArea {
  readonly station: number
  readonly area: number
  /** Number of areas of the station. */
  readonly areas: number
}

/** A fictitious town: WGS-84 positions of its stations, areas and buildings. Deterministic. */
export interface GeneratedTown {
  placeStation(station: number): GroundPosition
  /** Where the pipe of an area branches off into its street. */
  placeArea(area: TownArea): GroundPosition
  /** Position of the `building` (from 0) of an area with `buildings` buildings. */
  placeBuilding(area: TownArea, building: number, buildings: number): GroundPosition
}

/** Offset from the middle of the town, m. */
interface Spot {
  readonly east: number
  readonly north: number
}

/** Mean metres of a degree of latitude. */
const DEGREE_M = 111_320
/** Size of the rectangle that a station heats, m; its areas are in rows west and east of the station. */
const FIELD = { east: 1_000, north: 800 } as const
/** Distance from the station to the branch of an area, m. */
const GATE_EAST = 80
/** Distances from the station to the first and the last building of a street, m. */
const STREET = { from: 110, to: 450 } as const
/** Rows of buildings along a street, and the smallest gap between two buildings in a row, m. */
const ROWS = 6
const ROW_GAP = 55
const IN_ROW_GAP = 50
/** Maximum random offset of a station and of a building, m. */
const SCATTER = { station: 30, building: 7 } as const

/** Rectangle of a station, counted from the middle. The stations are numbered along a spiral. */
function toField(station: number): Spot {
  const ring = Math.ceil((Math.sqrt(station + 1) - 1) / 2)
  if (ring === 0) return { east: 0, north: 0 }
  const side = 2 * ring
  const along = station - (side - 1) ** 2
  const [leg, step] = [Math.floor(along / side), (along % side) + 1]
  const corners = [
    { east: ring, north: step - ring },
    { east: ring - step, north: ring },
    { east: -ring, north: ring - step },
    { east: step - ring, north: -ring },
  ]
  return corners[leg] ?? { east: 0, north: 0 }
}

function toMiddle(station: number): Spot {
  const { east, north } = toField(station)
  return { east: east * FIELD.east, north: north * FIELD.north }
}

/** Street of an area: areas are alternately west and east of the station, from south to north. */
function toStreet({ station, area, areas }: TownArea) {
  const middle = toMiddle(station)
  const rows = Math.ceil(areas / 2)
  const width = FIELD.north / rows
  const north = middle.north + (Math.floor(area / 2) - (rows - 1) / 2) * width
  return { east: middle.east, north, width, side: area % 2 === 0 ? -1 : 1 }
}

/** -1, 1, -2, 2, … half rows from the street, alternating sides. */
const toRowOffset = (row: number): number => (Math.floor(row / 2) + 0.5) * (row % 2 === 0 ? -1 : 1)

/** Generates a town around a position. */
export function createTown(middle: GroundPosition): GeneratedTown {
  const parallelM = DEGREE_M * Math.cos((middle.latitudeDeg * Math.PI) / 180)

  function toPosition({ east, north }: Spot, scatterM: number, number: number): GroundPosition {
    const random = createRandom(number)
    const scatter = (): number => (2 * random() - 1) * scatterM
    return {
      longitudeDeg: middle.longitudeDeg + (east + scatter()) / parallelM,
      latitudeDeg: middle.latitudeDeg + (north + scatter()) / DEGREE_M,
    }
  }

  return {
    placeStation: (station) => toPosition(toMiddle(station), SCATTER.station, station),
    placeArea(area) {
      const { east, north, side } = toStreet(area)
      return toPosition({ east: east + side * GATE_EAST, north }, 0, 0)
    },
    placeBuilding(area, building, buildings) {
      const { east, north, side, width } = toStreet(area)
      const length = STREET.to - STREET.from
      const perRow = Math.max(Math.ceil(buildings / ROWS), Math.floor(length / IN_ROW_GAP) + 1)
      const gap = Math.min(ROW_GAP, width / ROWS)
      const along = STREET.from + ((building % perRow) * length) / Math.max(perRow - 1, 1)
      const across = toRowOffset(Math.floor(building / perRow)) * gap
      const number = (area.station * 64 + area.area) * 512 + building
      return toPosition({ east: east + side * along, north: north + across }, SCATTER.building, number)
    },
  }
}
