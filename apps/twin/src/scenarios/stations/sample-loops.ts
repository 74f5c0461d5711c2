import { type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import { metre } from '@isotherm/kernel/quantities'
import type { Random } from '@isotherm/kernel/random'
import type { BuildingSpec, LoopSpec } from '../scenario.ts'
import { lossOfPipe, sizePipe } from './sizing.ts'

/** A loop is shorter than the way round by the streets it joins. */
const LEAST_SHARE = 0.4
const SPREAD_SHARE = 0.2
/** It is laid for this part of the station's flow. */
const FLOW_SHARE = 0.35
const BENDS = 6

/** How far the end of a pipe is from the station, m of trench. */
function wayTo(pipes: readonly PipeSpec[], node: number): number {
  let way = 0
  for (let pipe = pipes[node]; pipe !== undefined; pipe = pipes[pipe.parent]) way += pipe.length
  return way
}

/**
 * Mains between the ends of the streets, one from each to the next; a single street is led back to the station's
 * outlet. `areas` are the buildings of each street in their order from the station.
 */
export function sampleLoops(
  random: Random,
  pipes: readonly PipeSpec[],
  areas: readonly (readonly BuildingSpec[])[],
  totalKgS: number,
): LoopSpec[] {
  const outlet = pipes.findIndex(({ parent }) => parent === SOURCE)
  const ends = areas.flatMap((buildings) => pipes[buildings.at(-1)?.node ?? SOURCE]?.parent ?? [])
  const joined = ends.length === 1 ? [outlet, ...ends] : ends
  const { wall, ...size } = sizePipe(FLOW_SHARE * totalKgS)
  return joined.slice(1).map((to, index): LoopSpec => {
    const from = joined[index] ?? outlet
    const way = wayTo(pipes, from) + wayTo(pipes, to) - 2 * wayTo(pipes, outlet)
    const length = metre(way * (LEAST_SHARE + SPREAD_SHARE * random()))
    return {
      from,
      to,
      isOpen: true,
      pipe: { length, ...size, localLoss: BENDS, runs: 2 },
      heat: { wall, lossWMK: lossOfPipe(size.innerDiameter) },
    }
  })
}
