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

function findMedian(values: readonly number[]): number | undefined {
  if (values.length < MIN_PEERS) return undefined
  const ascending = [...values].sort((left, right) => left - right)
  return ascending[ascending.length >> 1]
}

const isTrusted = ({ condition, value }: ListedValue): boolean => condition === 'good' && !Number.isNaN(value)
const isAt = (node: string, { device }: ListedValue): boolean => device.path === `${node}d${device.id}/`

/** Reads what is measured around rooms. Each part of the tree is read once per reader. */
export function createSurroundings(listValues: Telemetry['listValues']) {
  const cache = new Map<string, Promise<readonly ListedValue[]>>()

  function read(path: string, kind: DeviceKind, metric: MetricName): Promise<readonly ListedValue[]> {
    const key = `${path} ${kind} ${metric}`
    const known = cache.get(key) ?? listValues([path], kind, metric)
    cache.set(key, known)
    return known
  }

  async function readOf(path: string, kind: DeviceKind, metric: MetricName, id: number) {
    const kinds: readonly DeviceKind[] = metrics[metric].kinds
    if (!kinds.includes(kind)) return undefined
    const found = (await read(path, kind, metric)).find(({ device }) => device.id === id)
    return found && isTrusted(found) ? found.value : undefined
  }

  /** The nearest valve or meter, from the household of the room up to its building. */
  async function findFeed(building: string, { path, level }: PlacedRoom) {
    for (let steps = 0; steps <= level - treeLevels.building; steps += 1) {
      const node = toAncestor(path, steps)
      if (node === undefined) return undefined
      for (const kind of FEEDS) {
        const near = (await read(building, kind, 'temp.return')).find((each) => isAt(node, each))
        if (near) return { kind, id: near.device.id }
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

  async function findMedianOf(path: string, kind: DeviceKind, metric: MetricName) {
    return findMedian((await read(path, kind, metric)).filter(isTrusted).map(({ value }) => value))
  }

  return async (room: PlacedRoom): Promise<Pick<RoomFacts, 'feed' | 'peers' | 'neighbours'>> => {
    const { id, path, level } = room
    const building = toAncestor(path, Math.max(0, level - treeLevels.building))
    const station = toAncestor(path, Math.max(0, level - treeLevels.station))
    const nothing = { supplyC: undefined, returnC: undefined }
    if (building === undefined) return { feed: undefined, peers: nothing, neighbours: undefined }
    const others = (await read(building, 'room-sensor', 'temp.room'))
      .filter((each) => each.device.id !== id && isTrusted(each))
      .map(({ value }) => value)
    const medianC = findMedian(others)
    const neighbours = medianC === undefined ? undefined : { medianC, rooms: others.length }
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
