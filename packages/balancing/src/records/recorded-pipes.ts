import type { PipeSpec } from '@isotherm/hydraulics/tree/tree-network'
import { metre } from '@isotherm/kernel/quantities'

/** A trench of supply and return between two places, as it is recorded; which end is named first says nothing. */
export interface RecordedPipe {
  readonly from: string
  readonly to: string
  /** Of the trench. */
  readonly lengthM: number
  readonly innerDiameterM: number
  readonly roughnessM: number
}

/** The pipe by which water comes to a place from the source, and the place before it. */
export interface WayThere {
  readonly above: string
  readonly pipe: RecordedPipe
}

/** Bends, tees and valves as a share of the length: local losses are 20 to 40 % of friction. */
const LOCAL_SHARE = 0.3

/**
 * How far the resistance of a recorded pipe may be off, standard deviation of its logarithm: a wall half as rough or
 * half as rough again moves friction by some 10 %, local losses are known to a third, and lengths are drawn, not walked.
 */
export const RECORDED_SIGMA = 0.2

/** The trench as the model has it: local losses as length. */
export const toPipeSpec = (parent: number, pipe: RecordedPipe): PipeSpec => ({
  parent,
  length: metre((1 + LOCAL_SHARE) * pipe.lengthM),
  innerDiameter: metre(pipe.innerDiameterM),
  roughness: metre(pipe.roughnessM),
  localLoss: 0,
  runs: 2,
})

/**
 * Every place that pipes lead to from a source, nearest first, by fewest pipes: where pipes form a ring it is cut where both
 * ways meet.
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

/** Pipes without those that lead nowhere: to none of the kept places, nor round a ring. */
export function withoutDeadEnds(pipes: readonly RecordedPipe[], kept: ReadonlySet<string>): RecordedPipe[] {
  const at = new Map<string, Set<RecordedPipe>>()
  for (const pipe of pipes)
    for (const end of [pipe.from, pipe.to]) {
      const there = at.get(end)
      if (there) there.add(pipe)
      else at.set(end, new Set([pipe]))
    }
  const isDead = (place: string) => !kept.has(place) && at.get(place)?.size === 1
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
