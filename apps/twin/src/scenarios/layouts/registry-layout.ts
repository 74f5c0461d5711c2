import type { RegistryDevice, RegistryFile, RegistryNode } from '@isotherm/contract/network/registry-file'
import type { PlaceSpec } from '../scenario.ts'
import { concentratorImei } from './demo-numbers.ts'
import type {
  AreaLayout,
  BuildingLayout,
  CompanyLayout,
  FlatLayout,
  StationLayout,
  UnitLayout,
} from './layout.ts'

/** Data that a registry file lacks for generating a plant, one line each. */
export type LayoutOutcome =
  | { readonly kind: 'layout'; readonly layout: CompanyLayout }
  | { readonly kind: 'unusable'; readonly problems: readonly string[] }

const FLATS_PER_FLOOR = 2

/** A registry file by node: its children and its devices. */
interface Lookup {
  readonly seed: number
  readonly below: ReadonlyMap<string, readonly RegistryNode[]>
  readonly on: ReadonlyMap<string, readonly RegistryDevice[]>
  readonly problems: string[]
}

const childrenOf = ({ below }: Lookup, node: RegistryNode): readonly RegistryNode[] =>
  below.get(node.key) ?? []

const deviceOn = ({ on }: Lookup, key: string, kind: RegistryDevice['kind']): RegistryDevice | undefined =>
  on.get(key)?.find((device) => device.kind === kind)

function layOutFlats(lookup: Lookup, flats: readonly RegistryNode[]): FlatLayout[] {
  const floors = Math.max(1, Math.ceil(flats.length / FLATS_PER_FLOOR))
  return flats.map((flat, index) => ({
    key: flat.key,
    name: flat.name,
    floor: 1 + Math.floor(index / FLATS_PER_FLOOR),
    floors,
    areaM2: flat.areaM2,
    roomSensor: deviceOn(lookup, flat.key, 'room-sensor')?.serial,
  }))
}

/** Whether no unit below a station has households: its valves open to the ground. */
function waters(lookup: Lookup, node: RegistryNode): boolean {
  const below = childrenOf(lookup, node)
  return node.level < 8 && below.every((child) => waters(lookup, child))
}

function layOutUnits(lookup: Lookup, building: RegistryNode, isWatering: boolean): UnitLayout[] {
  const units = childrenOf(lookup, building)
  return units.flatMap((unit, index): UnitLayout[] => {
    const valve = deviceOn(lookup, unit.key, 'valve')
    const flats = childrenOf(lookup, unit)
    if (valve === undefined || (flats.length === 0 && !isWatering)) {
      lookup.problems.push(`unit ${unit.key} has no ${valve === undefined ? 'valve' : 'households'}`)
      return []
    }
    const isEnd = index === 0 || index === units.length - 1
    return [
      {
        key: unit.key,
        name: unit.name,
        valveSerial: valve.serial,
        hasOwnLink: valve.concentrator === null,
        isEnd,
        flats: layOutFlats(lookup, flats),
      },
    ]
  })
}

function layOutBuilding(lookup: Lookup, building: RegistryNode, isWatering: boolean): BuildingLayout {
  const meter = deviceOn(lookup, building.key, 'heat-meter')
  return {
    key: building.key,
    name: building.name,
    meter: meter && { serial: meter.serial, meterNo: meter.meterNo ?? meter.serial.slice(-8) },
    units: layOutUnits(lookup, building, isWatering),
  }
}

const isBuilding = (node: RegistryNode): boolean => node.kind === 'sub-user' && node.test !== true

/** Residential areas of a station; buildings right below it count as one more. */
function layOutAreas(lookup: Lookup, station: RegistryNode, isWatering: boolean): AreaLayout[] {
  const below = childrenOf(lookup, station)
  const places = [station, ...below.filter((node) => node.kind === 'group')]
  return places.flatMap((place): AreaLayout[] => {
    const buildings = childrenOf(lookup, place)
      .filter(isBuilding)
      .map((building) => layOutBuilding(lookup, building, isWatering))
      .filter((building) => building.units.length > 0)
    return buildings.length === 0 ? [] : [{ key: place.key, buildings }]
  })
}

function layOutStation(
  lookup: Lookup,
  node: RegistryNode,
  concentrator: RegistryDevice,
  number: number,
): StationLayout[] {
  const station = deviceOn(lookup, node.key, 'station')
  const isWatering = waters(lookup, node)
  const areas = layOutAreas(lookup, node, isWatering)
  if (station === undefined || areas.length === 0) {
    lookup.problems.push(`${node.key} has no ${station === undefined ? 'station controller' : 'buildings'}`)
    return []
  }
  return [
    {
      key: node.key,
      name: node.name,
      concentratorSerial: concentrator.serial,
      concentratorImei: concentrator.imei ?? concentratorImei(lookup.seed, number),
      stationSerial: station.serial,
      areas,
      ...(isWatering ? { watering: { programs: [] } } : {}),
    },
  ]
}

function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | null,
): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    if (key === null) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/**
 * The layout of any company's registry. A heat station is a node with a concentrator and a station controller; all nodes
 * below are on its pipes. One without
 * households below is a pump house. Properties that the file does not contain (pipes, walls, valves) are sampled from the seed.
 */
export function layOutRegistry(file: RegistryFile, seed: number): LayoutOutcome {
  const problems: string[] = []
  const lookup: Lookup = {
    seed,
    below: groupBy(file.nodes, (node) => node.parent),
    on: groupBy(file.devices, (device) => device.node),
    problems,
  }
  let number = 0
  const stations = file.nodes.flatMap((node) => {
    const concentrator = deviceOn(lookup, node.key, 'concentrator')
    number += concentrator === undefined ? 0 : 1
    return concentrator === undefined ? [] : layOutStation(lookup, node, concentrator, number)
  })
  if (stations.length === 0) problems.push('no node has a concentrator and a station controller on it')
  if (problems.length > 0) return { kind: 'unusable', problems }
  const places = file.nodes
    .filter((node) => node.kind === 'project' || node.kind === 'group')
    .map(({ key, parent, level, name, description, stype }): PlaceSpec => {
      const extra = { ...(description ? { description } : {}), ...(stype ? { stype } : {}) }
      return { key, parent, level, name, ...extra }
    })
  const test = file.nodes.find((node) => node.test === true)
  const testUser = test?.parent == null ? undefined : { key: test.key, area: test.parent, name: test.name }
  const { tenant, name: companyName, timeZone } = file.company
  const grounds = new Map(file.nodes.flatMap(({ key, place }) => (place ? [[key, place]] : [])))
  return { kind: 'layout', layout: { tenant, companyName, timeZone, places, testUser, stations, grounds } }
}
