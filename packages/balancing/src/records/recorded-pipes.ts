import type { PipeSpec } from '@isotherm/hydraulics/tree/tree-network'
import { metre } from '@isotherm/kernel/quantities'

/** A recorded trench of supply and return between two places; the order of its ends has no meaning. */
export interface RecordedPipe {
  readonly from: string
  readonly to: string
  /** Length of the trench. */
  readonly lengthM: number
  readonly innerDiameterM: number
  readonly roughnessM: number
}

/** The pipe that feeds a place from the source, and the place before it. */
export interface WayThere {
  readonly above: string
  readonly pipe: RecordedPipe
}

/** Bends, tees and valves as a share of the length: local losses are 20 to 40 % of friction. */
const LOCAL_SHARE = 0.3

/**
 * Uncertainty of a recorded pipe's resistance, standard deviation of its logarithm. A wall half as rough or half as
 * rough again changes friction by about 10 %, local losses are known to a third, and lengths come from drawings.
 */
export const RECORDED_SIGMA = 0.2

/** The trench as a pipe of the model: local losses as length. */
export const toPipeSpec = (parent: number, pipe: RecordedPipe): PipeSpec => ({
  parent,
  length: metre((1 + LOCAL_SHARE) * pipe.lengthM),
  innerDiameter: metre(pipe.innerDiameterM),
  roughness: metre(pipe.roughnessM),
  localLoss: 0,
  runs: 2,
})

/**
 * Every place that pipes connect to a source, nearest first, with the fewest pipes. A ring is cut where both ways
 * meet.
 */
export function findWays(pipes: readonly RecordedPipe[], source: string): ReadonlyMap<string, WayThere> {
  const at = new Map<string, RecordedPipe[]>()
  for (const pipe of pipes)
    for (const end of [pipe.from, pipe.to]) {
      const there = at.get(end)
      if (there) there.push(pipe)
      else at.set(end, [pipe])
    }
  const ways = new Map<string, WayThere>()
  const reached = [source]
  for (const above of reached)
    for (const pipe of at.get(above) ?? []) {
      const place = pipe.from === above ? pipe.to : pipe.from
      if (place === source || ways.has(place)) continue
      ways.set(place, { above, pipe })
      reached.push(place)
    }
  return ways
}

/** Pipes that lead somewhere: to one of the given places, or around a ring. */
export function withoutDeadEnds(pipes: readonly RecordedPipe[], places: ReadonlySet<string>): RecordedPipe[] {
  const at = new Map<string, Set<RecordedPipe>>()
  for (const pipe of pipes)
    for (const end of [pipe.from, pipe.to]) {
      const there = at.get(end)
      if (there) there.add(pipe)
      else at.set(end, new Set([pipe]))
    }
  const isDead = (place: string) => !places.has(place) && at.get(place)?.size === 1
  const dead = [...at.keys()].filter(isDead)
  const left = new Set(pipes)
  for (const place of dead)
    for (const pipe of at.get(place) ?? []) {
      const other = pipe.from === place ? pipe.to : pipe.from
      left.delete(pipe)
      at.get(place)?.delete(pipe)
      at.get(other)?.delete(pipe)
      if (isDead(other)) dead.push(other)
    }
  return pipes.filter((pipe) => left.has(pipe))
}
