import { findMetricById, type MetricName, metrics } from '@isotherm/contract/metrics'
import { createIdColumn } from '../../../platform/columns/id-column.ts'

/** A number, its instant (Unix ms) and its quality bits for each metric of each device. */
export interface MetricCells {
  /** Number of metrics of a device. */
  count(deviceId: number): number
  /** Position of a metric of a device; -1 if it has none. Holds until the device gets another metric. */
  find(deviceId: number, metric: MetricName): number
  /** Position for a metric that the device does not have yet. */
  add(deviceId: number, metric: MetricName): number
  /** Positions of all metrics of a device, in the order in which they came. */
  list(deviceId: number): Iterable<number>
  metricAt(position: number): MetricName
  valueAt(position: number): number
  instantAt(position: number): number
  qualityAt(position: number): number
  put(position: number, value: number, instant: number, quality: number): void
  /** No device has an id above this one. */
  highestId(): number
}

/** Cells in one piece of memory. A piece is never copied, so growing costs nothing and wastes little. */
const PIECE = 16_384
/** Cells by which the room of a device grows. */
const STEP = 2

interface Piece {
  readonly metricIds: Uint8Array
  readonly values: Float64Array
  readonly instants: Float64Array
  readonly qualities: Uint8Array
}

const toCapacity = (count: number): number => Math.ceil(count / STEP) * STEP

/**
 * Cells in typed arrays, those of a device one after the other: 18 bytes each, outside the collected heap. An object with boxed
 * numbers takes four times as much. When a device gets a metric for which it has no room, its cells move; the room that they
 * leave is used by the next device that needs as much.
 */
export function createMetricCells(): MetricCells {
  const pieces: Piece[] = []
  /** Position of the first cell of each device, plus 1; 0 if it has none. */
  const starts = createIdColumn(0, Uint32Array)
  const counts = createIdColumn(0, Uint8Array)
  /** Positions of left rooms by their capacity. */
  const left = new Map<number, number[]>()
  let used = 0
  let highest = 0

  const pieceOf = (position: number): Piece => {
    const piece = pieces[Math.floor(position / PIECE)]
    if (!piece) throw new RangeError(`no cell ${position}`)
    return piece
  }

  /** Room for cells of one device. The cells of a device are never in two pieces. */
  function reserve(capacity: number): number {
    const reused = left.get(capacity)?.pop()
    if (reused !== undefined) return reused
    if (used === pieces.length * PIECE || (used % PIECE) + capacity > PIECE) {
      used = pieces.length * PIECE
      pieces.push({
        metricIds: new Uint8Array(PIECE),
        values: new Float64Array(PIECE),
        instants: new Float64Array(PIECE),
        qualities: new Uint8Array(PIECE),
      })
    }
    const start = used
    used += capacity
    return start
  }

  function move(deviceId: number, count: number): number {
    const start = reserve(toCapacity(count + 1))
    if (count > 0) {
      const before = starts.get(deviceId) - 1
      const [from, to] = [pieceOf(before), pieceOf(start)]
      for (const name of ['metricIds', 'values', 'instants', 'qualities'] as const)
        to[name].set(from[name].subarray(before % PIECE, (before % PIECE) + count), start % PIECE)
      const rooms = left.get(toCapacity(count)) ?? []
      left.set(toCapacity(count), rooms)
      rooms.push(before)
    }
    starts.put(deviceId, start + 1)
    return start
  }

  function find(deviceId: number, metric: MetricName): number {
    const count = counts.get(deviceId)
    if (count === 0) return -1
    const { id } = metrics[metric]
    const start = starts.get(deviceId) - 1
    const { metricIds } = pieceOf(start)
    const at = start % PIECE
    for (let index = 0; index < count; index += 1) if (metricIds[at + index] === id) return start + index
    return -1
  }

  return {
    count: (deviceId) => counts.get(deviceId),
    find,
    add(deviceId, metric) {
      const count = counts.get(deviceId)
      const start = count === toCapacity(count) ? move(deviceId, count) : starts.get(deviceId) - 1
      const position = start + count
      pieceOf(position).metricIds[position % PIECE] = metrics[metric].id
      counts.put(deviceId, count + 1)
      highest = Math.max(highest, deviceId)
      return position
    },
    *list(deviceId) {
      const count = counts.get(deviceId)
      const start = starts.get(deviceId) - 1
      for (let index = 0; index < count; index += 1) yield start + index
    },
    metricAt(position) {
      const metric = findMetricById(pieceOf(position).metricIds[position % PIECE] ?? 0)
      if (!metric) throw new RangeError(`no metric at cell ${position}`)
      return metric
    },
    valueAt: (position) => pieceOf(position).values[position % PIECE] ?? Number.NaN,
    instantAt: (position) => pieceOf(position).instants[position % PIECE] ?? 0,
    qualityAt: (position) => pieceOf(position).qualities[position % PIECE] ?? 0,
    put(position, value, instant, quality) {
      const piece = pieceOf(position)
      piece.values[position % PIECE] = value
      piece.instants[position % PIECE] = instant
      piece.qualities[position % PIECE] = quality
    },
    highestId: () => highest,
  }
}
