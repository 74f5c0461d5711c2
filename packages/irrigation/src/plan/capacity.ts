/** Use of a source by some valves during [startMs, endMs). */
export interface Usage {
  readonly valveIds: readonly number[]
  readonly flowM3H: number
  readonly startMs: number
  readonly endMs: number
}

/** What runs from an instant until the next segment. */
interface Segment {
  readonly fromMs: number
  flowM3H: number
  readonly valveIds: Set<number>
}

/** Flows are sums of decimal numbers. */
const EPSILON = 1e-6

/** Use of a source over time. */
export interface SourceUse {
  /** The earliest start, at or after an instant, at which some valves fit beside the others. */
  findStart(
    wanted: Omit<Usage, 'startMs' | 'endMs'> & { readonly durationS: number },
    readyMs: number,
  ): number
  add(usage: Usage): void
  /** Drops segments that end before an instant; nothing is planned there any more. */
  dropBefore(ms: number): void
  /** Work so far: segments passed in the search for a start, and entries of valves written. */
  countWork(): number
}

/** A source with a capacity, m³/h, as segments without gaps: the last has no end, and nothing runs in it. */
export function createSourceUse(capacityM3H: number, busy: readonly Usage[] = []): SourceUse {
  let segments: Segment[] = [{ fromMs: Number.NEGATIVE_INFINITY, flowM3H: 0, valveIds: new Set() }]
  let work = 0

  /** Index of the segment that contains an instant. */
  function findIndex(ms: number): number {
    let [low, high] = [0, segments.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((segments[middle]?.fromMs ?? Number.POSITIVE_INFINITY) <= ms) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Index of the segment that begins at an instant. Divides the one that contains it. */
  function splitAt(ms: number): number {
    const index = findIndex(ms)
    const segment = segments[index]
    if (!segment || segment.fromMs === ms) return index
    work += segment.valveIds.size
    segments.splice(index + 1, 0, { ...segment, fromMs: ms, valveIds: new Set(segment.valveIds) })
    return index + 1
  }

  function add({ valveIds, flowM3H, startMs, endMs }: Usage): void {
    if (endMs <= startMs) return
    const first = splitAt(startMs)
    for (const segment of segments.slice(first, splitAt(endMs))) {
      segment.flowM3H += flowM3H
      for (const id of valveIds) segment.valveIds.add(id)
      work += valveIds.length
    }
  }

  for (const usage of busy) add(usage)

  return {
    add,
    findStart({ valveIds, flowM3H, durationS }, readyMs) {
      let startMs = readyMs
      for (let index = findIndex(readyMs); index < segments.length - 1; index++) {
        const [segment, next] = [segments[index], segments[index + 1]]
        if (!segment || !next) break
        work++
        const hasRoom = segment.flowM3H + flowM3H <= capacityM3H + EPSILON
        if (!hasRoom || valveIds.some((id) => segment.valveIds.has(id))) startMs = next.fromMs
        else if (next.fromMs >= startMs + durationS * 1000) break
      }
      return startMs
    },
    dropBefore(ms) {
      segments = segments.slice(findIndex(ms))
    },
    countWork: () => work,
  }
}
