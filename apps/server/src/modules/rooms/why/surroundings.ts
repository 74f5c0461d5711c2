import type { DeviceKind } from '@isotherm/contract/devices'
import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { treeLevels } from '@isotherm/contract/tree'
import type { ListedValue, Telemetry } from '../../telemetry/index.ts'
import { type Feed, MIN_PEERS, type RoomFacts } from './find-reasons.ts'

/** A room sensor in the tree. */
export interface PlacedRoom {
  readonly id: number
  /** Path of the device. */
  readonly path: string
  /** Level of its node. */
  readonly level: number
}

/** Kinds of device that measure the water of a room. At one node the first kind is preferred. */
const FEEDS: readonly DeviceKind[] = ['valve', 'heat-meter']

/** Path of the ancestor `steps` above the node of a device; undefined above the root. */
export function toAncestor(devicePath: string, steps: number): string | undefined {
  const ids = devicePath.split('/').slice(1, -2)
  const above = ids.slice(0, ids.length - steps)
  return above.length === 0 ? undefined : `/${above.join('/')}/`
}

/** Newest values of a metric from the devices of a kind in a part of the tree. */
interface Part {
  /** Trusted values by device. */
  readonly values: ReadonlyMap<number, number>
  /** The first device of a node, by the path of the node. */
  readonly firstAt: ReadonlyMap<string, number>
  readonly ascending: Float64Array
}

const isTrusted = ({ condition, value }: ListedValue): boolean => condition === 'good' && !Number.isNaN(value)
const toNode = (devicePath: string): string =>
  devicePath.slice(0, devicePath.lastIndexOf('/', devicePath.length - 2) + 1)

function toPart(listed: readonly ListedValue[]): Part {
  const trusted = listed.filter(isTrusted)
  // Of several devices at a node the first one counts, so it is put last.
  const firstAt = new Map(listed.toReversed().map(({ device: { id, path } }) => [toNode(path), id]))
  return {
    values: new Map(trusted.map(({ device, value }) => [device.id, value])),
    firstAt,
    ascending: Float64Array.from(trusted, ({ value }) => value).sort(),
  }
}

/** The median of the values without one of them; undefined if there are too few. */
function findMedian(
  { ascending }: Pick<Part, 'ascending'>,
  without?: number,
): { readonly median: number; readonly count: number } | undefined {
  const count = ascending.length - (without === undefined ? 0 : 1)
  if (count < MIN_PEERS) return undefined
  const middle = count >> 1
  const left = without === undefined ? ascending.length : ascending.indexOf(without)
  const median = ascending[middle < left ? middle : middle + 1]
  return median === undefined ? undefined : { median, count }
}

/** Reads what is measured around rooms. Each part of the tree is read and sorted once per reader. */
export function createSurroundings(listValues: Telemetry['listValues']) {
  const cache = new Map<string, Promise<Part>>()

  function read(path: string, kind: DeviceKind, metric: MetricName): Promise<Part> {
    const key = `${path} ${kind} ${metric}`
    const known = cache.get(key) ?? listValues([path], kind, metric).then(toPart)
    cache.set(key, known)
    return known
  }

  async function readOf(path: string, kind: DeviceKind, metric: MetricName, id: number) {
    const kinds: readonly DeviceKind[] = metrics[metric].kinds
    return kinds.includes(kind) ? (await read(path, kind, metric)).values.get(id) : undefined
  }

  /** The nearest valve or meter, from the household of the room up to its building. */
  async function findFeed(building: string, { path, level }: PlacedRoom) {
    for (let steps = 0; steps <= level - treeLevels.building; steps += 1) {
      const node = toAncestor(path, steps)
      if (node === undefined) return undefined
      for (const kind of FEEDS) {
        const id = (await read(building, kind, 'temp.return')).firstAt.get(node)
        if (id !== undefined) return { kind, id }
      }
    }
    return undefined
  }

  async function toFeed(building: string, { kind, id }: { readonly kind: DeviceKind; readonly id: number }) {
    const [openingPct, supplyC, returnC, flowM3h] = await Promise.all(
      (['valve.opening', 'temp.supply', 'temp.return', 'heat.flow'] as const).map((metric) =>
        readOf(building, kind, metric, id),
      ),
    )
    return { deviceId: id, openingPct, supplyC, returnC, flowM3h } satisfies Feed
  }

  const findMedianOf = async (path: string, kind: DeviceKind, metric: MetricName) =>
    findMedian(await read(path, kind, metric))?.median

  return async (room: PlacedRoom): Promise<Pick<RoomFacts, 'feed' | 'peers' | 'neighbours'>> => {
    const { id, path, level } = room
    const building = toAncestor(path, Math.max(0, level - treeLevels.building))
    const station = toAncestor(path, Math.max(0, level - treeLevels.station))
    const nothing = { supplyC: undefined, returnC: undefined }
    if (building === undefined) return { feed: undefined, peers: nothing, neighbours: undefined }
    const rooms = await read(building, 'room-sensor', 'temp.room')
    const others = findMedian(rooms, rooms.values.get(id))
    const neighbours = others && { medianC: others.median, rooms: others.count }
    const near = await findFeed(building, room)
    if (!near) return { feed: undefined, peers: nothing, neighbours }
    const [feed, supplyC, returnC] = await Promise.all([
      toFeed(building, near),
      station === undefined ? undefined : findMedianOf(station, near.kind, 'temp.supply'),
      station === undefined ? undefined : findMedianOf(station, near.kind, 'temp.return'),
    ])
    return { feed, peers: { supplyC, returnC }, neighbours }
  }
}
