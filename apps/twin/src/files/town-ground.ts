import type { GroundPosition } from '@isotherm/kernel/gcj02'
import { createRandom } from '@isotherm/kernel/random'
import type { BuildingSpec, Scenario, StationSpec } from '../scenarios/scenario.ts'
import { townNames } from './town-names.ts'

/** Metres east and north of the middle of the places. */
type Spot = readonly [east: number, north: number]

type Properties = Readonly<Record<string, string>>

interface Feature {
  readonly type: 'Feature'
  readonly properties: Properties
  readonly geometry:
    | { readonly type: 'LineString'; readonly coordinates: readonly Spot[] }
    | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly Spot[])[] }
}

interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** Mean metres of a degree of latitude. */
const DEGREE_M = 111_320
/** Positions are rounded to a millionth of a degree, about 0.1 m. */
const POSITION_SCALE = 1e6
/** Size of a building, m, where its neighbours leave room. */
const HOUSE = { length: [30, 42], depth: [12, 14], gap: 14 } as const
/** Places that lie closer than this on one axis are in one row or column of the town, m. */
const SAME_LINE_M = 200
/** Distance of the town's outer streets from its places, and from there of the river, m. */
const EDGE_M = 70
const RIVER = { away: 190, width: 70, swing: 55, wave: 1_400, step: 60 } as const
const PARK = { length: 520, depth: 260, away: 40 } as const
/** Margin of a watered field around its valves, m. */
const FIELD_MARGIN_M = 25
/** Avenues pass beside the stations, m. */
const BESIDE_STATION_M = 45

const line = (properties: Properties, coordinates: readonly Spot[]): Feature => ({
  type: 'Feature',
  properties,
  geometry: { type: 'LineString', coordinates },
})

const area = (properties: Properties, ring: readonly Spot[]): Feature => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: [[...ring, ...ring.slice(0, 1)]] },
})

const toRing = ({ west, south, east, north }: Box): readonly Spot[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
]

/** An ellipse with 24 corners. */
const toEllipse = ([east, north]: Spot, radiusEast: number, radiusNorth: number): readonly Spot[] =>
  Array.from({ length: 24 }, (_, index): Spot => {
    const angle = (index / 24) * 2 * Math.PI
    return [east + radiusEast * Math.cos(angle), north + radiusNorth * Math.sin(angle)]
  })

/** Means of groups of numbers that lie close together, in ascending order. */
function toLines(numbers: readonly number[]): readonly number[] {
  const groups: number[][] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = groups.at(-1)
    if (last && number - (last.at(-1) ?? 0) < SAME_LINE_M) last.push(number)
    else groups.push([number])
  }
  return groups.map((group) => group.reduce((sum, each) => sum + each, 0) / group.length)
}

const toBox = (spots: readonly Spot[], marginM: number): Box => ({
  west: Math.min(...spots.map(([east]) => east)) - marginM,
  south: Math.min(...spots.map(([, north]) => north)) - marginM,
  east: Math.max(...spots.map(([east]) => east)) + marginM,
  north: Math.max(...spots.map(([, north]) => north)) + marginM,
})

const between = ([low, high]: readonly [number, number], share: number) => low + share * (high - low)

/** The outline of a building, as large as its neighbours allow. */
function toHouse(at: Spot, neighbours: readonly Spot[], number: number): Feature {
  const random = createRandom(number)
  const free = neighbours
    .filter((other) => other !== at && Math.abs(other[1] - at[1]) < HOUSE.depth[1])
    .map(([east]) => Math.abs(east - at[0]) - HOUSE.gap)
  const length = Math.max(HOUSE.depth[0], Math.min(between(HOUSE.length, random()), ...free))
  const depth = between(HOUSE.depth, random())
  const [east, north] = at
  const half = { east: length / 2, north: depth / 2 }
  return area(
    { building: 'apartments' },
    toRing({
      west: east - half.east,
      south: north - half.north,
      east: east + half.east,
      north: north + half.north,
    }),
  )
}

/** A river south of the town and a bank with trees. */
function toRiver({ west, east, south }: Box, names: ReturnType<typeof townNames>): readonly Feature[] {
  const steps = Math.ceil((east - west + 1_600) / RIVER.step)
  const middle = Array.from({ length: steps + 1 }, (_, index): Spot => {
    const at = west - 800 + index * RIVER.step
    return [at, south - RIVER.away + RIVER.swing * Math.sin((at / RIVER.wave) * 2 * Math.PI)]
  })
  const toBand = (widthM: number): readonly Spot[] => [
    ...middle.map(([at, north]): Spot => [at, north + widthM / 2]),
    ...middle.toReversed().map(([at, north]): Spot => [at, north - widthM / 2]),
  ]
  return [
    area({ landuse: 'grass' }, toBand(RIVER.width + 70)),
    area({ natural: 'water', name: names.river }, toBand(RIVER.width)),
  ]
}

/** A park north of the town with a pond and paths. */
function toPark({ west, north }: Box, names: ReturnType<typeof townNames>): readonly Feature[] {
  const south = north + PARK.away
  const box = { west: west + 120, south, east: west + 120 + PARK.length, north: south + PARK.depth }
  const middle: Spot = [box.west + PARK.length * 0.62, south + PARK.depth / 2]
  const way = toEllipse(middle, 150, 90)
  return [
    area({ leisure: 'park', name: names.park }, toRing(box)),
    area({ natural: 'water', name: names.pond }, toEllipse(middle, 95, 55)),
    line({ highway: 'footway' }, [...way, ...way.slice(0, 1)]),
    line({ highway: 'footway' }, [
      [box.west, middle[1]],
      [middle[0] - 150, middle[1]],
    ]),
  ]
}

/** Where a residential area branches off its avenue, and its buildings. */
interface TownArea {
  readonly gate: Spot
  readonly buildings: readonly Spot[]
}

/** Streets: avenues beside the stations, cross streets between their rows, one street through each residential area. */
function toStreets(
  box: Box,
  stations: readonly Spot[],
  areas: readonly TownArea[],
  names: ReturnType<typeof townNames>,
): readonly Feature[] {
  const avenues = toLines(stations.map(([east]) => east)).map((east) => east + BESIDE_STATION_M)
  const rows = toLines(stations.map(([, north]) => north))
  const crossings = rows.slice(1).map((north, index) => (north + (rows[index] ?? north)) / 2)
  const ring = toRing(box)
  return [
    line({ highway: 'primary', name: names.ring }, [...ring, ...ring.slice(0, 1)]),
    ...avenues.map((east, index) =>
      line({ highway: 'secondary', name: names.avenue(index) }, [
        [east, box.south - RIVER.away - 250],
        [east, box.north],
      ]),
    ),
    ...crossings.map((north, index) =>
      line({ highway: 'secondary', name: names.crossing(index) }, [
        [box.west, north],
        [box.east, north],
      ]),
    ),
    ...areas.map(({ gate, buildings }, index) => {
      const avenue = avenues.toSorted((a, b) => Math.abs(a - gate[0]) - Math.abs(b - gate[0]))[0] ?? gate[0]
      const reach = toBox([gate, ...buildings], 25)
      const end = buildings.some(([east]) => east > gate[0]) ? reach.east : reach.west
      return line({ highway: 'residential', name: names.street(index) }, [
        [avenue, gate[1]],
        [end, gate[1]],
      ])
    }),
  ]
}

/** A town as a GeoJSON map file (WGS-84) around the places of a scenario: the same places give the same town. */
export function toTownGround({ grounds, language, stations }: TownSource) {
  const all = [...grounds.values()]
  const mean = (read: (position: GroundPosition) => number) =>
    all.reduce((sum, position) => sum + read(position), 0) / Math.max(all.length, 1)
  const middle = { longitudeDeg: mean((at) => at.longitudeDeg), latitudeDeg: mean((at) => at.latitudeDeg) }
  const parallelM = DEGREE_M * Math.cos((middle.latitudeDeg * Math.PI) / 180)
  const spots = new Map(
    [...grounds].map(([key, at]): [string, Spot] => [
      key,
      [(at.longitudeDeg - middle.longitudeDeg) * parallelM, (at.latitudeDeg - middle.latitudeDeg) * DEGREE_M],
    ]),
  )
  const round = (degrees: number) => Math.round(degrees * POSITION_SCALE) / POSITION_SCALE
  const toDegrees = ([east, north]: Spot): Spot => [
    round(middle.longitudeDeg + east / parallelM),
    round(middle.latitudeDeg + north / DEGREE_M),
  ]
  const names = townNames(language)
  const features = all.length === 0 ? [] : toFeatures(spots, stations, names)
  return {
    type: 'FeatureCollection',
    attribution: names.attribution,
    features: features.map(({ geometry, ...feature }) => ({
      ...feature,
      geometry:
        geometry.type === 'Polygon'
          ? { type: geometry.type, coordinates: geometry.coordinates.map((ring) => ring.map(toDegrees)) }
          : { type: geometry.type, coordinates: geometry.coordinates.map(toDegrees) },
    })),
  }
}

/** The part of a scenario that a town is made of. */
export interface TownSource extends Pick<Scenario, 'grounds' | 'language'> {
  readonly stations: readonly (Pick<StationSpec, 'key' | 'heating'> & {
    readonly buildings: readonly Pick<BuildingSpec, 'key' | 'area'>[]
  })[]
}

function toFeatures(
  spots: ReadonlyMap<string, Spot>,
  stations: TownSource['stations'],
  names: ReturnType<typeof townNames>,
): readonly Feature[] {
  const toSpots = (keys: readonly string[]) =>
    keys.flatMap((key) => [spots.get(key)].filter((at) => at !== undefined))
  const listAreas = (ofStations: TownSource['stations']): readonly TownArea[] =>
    ofStations.flatMap(({ buildings }) =>
      [...Map.groupBy(buildings, ({ area: key }) => key)].flatMap(([key, own]) => {
        const gate = spots.get(key)
        return gate ? [{ gate, buildings: toSpots(own.map((building) => building.key)) }] : []
      }),
    )
  const areas = listAreas(stations.filter(({ heating }) => heating))
  const fields = listAreas(stations.filter(({ heating }) => !heating))
  const box = toBox([...spots.values()], EDGE_M)
  return [
    ...toRiver(box, names),
    ...toPark(box, names),
    ...fields.map(({ gate, buildings }) =>
      area({ landuse: 'meadow' }, toRing(toBox([gate, ...buildings], FIELD_MARGIN_M))),
    ),
    ...areas.flatMap(({ buildings }, index) =>
      buildings.map((at, number) => toHouse(at, buildings, index * 512 + number)),
    ),
    ...toStreets(box, toSpots(stations.map(({ key }) => key)), [...areas, ...fields], names),
  ]
}
