import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import type { LoopPipe, LoopValve } from '../../../apps/server/src/modules/balancing/loop/loop.pg.ts'
import type { Loop } from '../../../apps/server/src/modules/balancing/loop/loop.ts'
import { toLoop } from '../../../apps/server/src/modules/balancing/loop/loop.ts'
import type { Place } from '../../../apps/server/src/modules/balancing/loop/place.ts'
import { FLATS_PER_BUILDING } from '../plant/build-flats.ts'
import type { PlantSpec } from '../plant/plant-spec.ts'
import { listDirections, type Site } from '../plant/site.ts'
import { PLATES } from '../plant/size-network.ts'

/** What the registry has of a plant. */
export interface RecordChanges {
  /** Share of valves whose plate names a valve one or two sizes larger or smaller. */
  readonly wrongPlates?: number
  readonly hasPlates?: boolean
  readonly hasPipes?: boolean
  readonly hasAreas?: boolean
}

/** Ids of devices: the station, valves by building, room sensors by their place in the list of sensors. */
export const STATION_ID = 1
export const valveId = (building: number): number => 1001 + building
export const buildingOf = (deviceId: number): number => deviceId - 1001
export const sensorId = (sensor: number): number => 5001 + sensor

/** All devices report every ten minutes. */
export const PERIOD_S = 600
/** Path of the station's node, at the level of stations. */
const STATION_PATH = '/1/2/3/4/5/'
const streetPath = (street: number): string => `${STATION_PATH}${10 + street}/`
const BUILDING_LEVEL = 6
/** Error of recorded lengths: standard deviation of the logarithm. */
const LENGTH_SIGMA = 0.1

export const place: Place = {
  companyId: 3,
  node: 'station',
  nodeName: 'station',
  nodePath: STATION_PATH,
  stationNodeId: 5,
  stationName: 'station',
  stationPath: STATION_PATH,
}

const pathsOf = ({ streets }: PlantSpec): string[] => {
  const paths: string[] = []
  for (const [street, { buildings }] of streets.entries())
    for (const building of buildings) paths[building] = `${streetPath(street)}${100 + building}/`
  return paths
}

/** Name on the plate of each valve. */
function platesOf(
  { seed, buildings }: PlantSpec,
  { wrongPlates = 0, hasPlates = true }: RecordChanges,
): string[] {
  const random = createRandom(1000 * seed + 21)
  return buildings.map(({ valve }) => {
    const [draw, far, up] = [random(), random(), random()]
    const nearest = PLATES.reduce(
      (best, { kvs }, index) =>
        Math.abs(Math.log(kvs / valve.kvs)) < Math.abs(Math.log((PLATES[best]?.kvs ?? 1) / valve.kvs))
          ? index
          : best,
      0,
    )
    const off = draw < wrongPlates ? (far < 0.6 ? 1 : 2) * (up < 0.5 ? 1 : -1) : 0
    const { dn, kvs } = PLATES[Math.min(PLATES.length - 1, Math.max(0, nearest + off))] ?? PLATES[0]
    return hasPlates ? `DN${dn} Kvs${kvs}` : 'motor valve'
  })
}

/**
 * Pipes between nodes. Junctions are no nodes: the first building of a junction stands for it, and the second one
 * hangs on the first. Lengths come from drawings.
 */
function pipesOf({ seed, streets, trenches, buildings }: PlantSpec, paths: readonly string[]): LoopPipe[] {
  const random = createRandom(1000 * seed + 22)
  const record = (from: string, to: string, trench: number): LoopPipe => ({
    from,
    to,
    lengthM: (trenches[trench]?.lengthM ?? 0) * Math.exp(sampleNormal(random, 0, LENGTH_SIGMA)),
    innerDiameterMm: 1000 * (trenches[trench]?.innerM ?? 0),
    material: 'steel',
    roughnessMm: null,
  })
  return streets.flatMap(({ buildings: own }, street) => {
    let [before, last] = [streetPath(street), -1]
    const laid = [record(STATION_PATH, streetPath(street), 0)]
    for (const building of own) {
      const [spec, path] = [buildings[building], paths[building] ?? '']
      if (!spec) continue
      if (spec.street === last) laid.push(record(before, path, spec.junction))
      else {
        laid.push(record(before, path, spec.street))
        before = path
        last = spec.street
      }
    }
    return laid
  })
}

/** The loop as the server reads it from its registry. */
export function registerLoop({ plant, instruments }: Site, changes: RecordChanges): Loop {
  const { spec } = plant
  const paths = pathsOf(spec)
  const plates = platesOf(spec, changes)
  const valves = spec.buildings.map(
    ({ areaM2 }, building): LoopValve => ({
      deviceId: valveId(building),
      deviceName: `valve ${building}`,
      model: plates[building] ?? '',
      node: `building ${building}`,
      nestaddr: `building ${building}`,
      path: paths[building] ?? '',
      level: BUILDING_LEVEL,
      periodS: PERIOD_S,
      minPct: null,
      maxPct: null,
      maxStepPct: null,
      areaM2: changes.hasAreas === false ? null : Math.round(areaM2),
    }),
  )
  const loop = toLoop(STATION_PATH, {
    stations: [{ deviceId: STATION_ID, path: STATION_PATH, periodS: PERIOD_S }],
    valves,
    rooms: Array.from(instruments.sensorFlats, (flat, sensor) => ({
      deviceId: sensorId(sensor),
      path: `${paths[Math.floor(flat / FLATS_PER_BUILDING)] ?? ''}${1000 + flat}/`,
      periodS: PERIOD_S,
    })),
    pipes: changes.hasPipes === false ? [] : pipesOf(spec, paths),
    // A registry knows floors; convectors count as radiators.
    emitters: spec.buildings.flatMap(({ emitter }, building) =>
      emitter === 'floor' ? [{ path: paths[building] ?? '', emitter, areaM2: 0 }] : [],
    ),
  })
  if (loop === undefined) throw new Error('the registry has no station')
  return loop
}

/** Ids of the valves that work the wrong way round by their answers. */
export const invertedOf = (site: Site): ReadonlySet<number> =>
  new Set(
    listDirections(site).flatMap((direction, building) =>
      direction === 'inverted' ? valveId(building) : [],
    ),
  )
