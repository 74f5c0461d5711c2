import { type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import { metre } from '@isotherm/kernel/quantities'
import type { Random } from '@isotherm/kernel/random'
import type { BuildingSpec, LoopSpec } from '../scenario.ts'
import { lossOfPipe, sizePipe } from './sizing.ts'

/** Smallest length of a loop, and its random range, relative to the path through the streets that it joins. */
const MIN_SHARE = 0.4
const SPREAD_SHARE = 0.2
/** Share of the station's flow for which a loop is sized. */
const FLOW_SHARE = 0.35
const BENDS = 6

/** Distance of a pipe's end from the station, m of trench. */
function distanceTo(pipes: readonly PipeSpec[], node: number): number {
  let distance = 0
  for (let pipe = pipes[node]; pipe !== undefined; pipe = pipes[pipe.parent]) distance += pipe.length
  return distance
}

/**
 * Mains between the ends of neighbouring streets; a single street gets a main back to the station's outlet. `areas`: the
 * buildings of each street in their order from the station.
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
    const way = distanceTo(pipes, from) + distanceTo(pipes, to) - 2 * distanceTo(pipes, outlet)
    const length = metre(way * (MIN_SHARE + SPREAD_SHARE * random()))
    return {
      from,
      to,
      isOpen: true,
      pipe: { length, ...size, localLoss: BENDS, runs: 2 },
      heat: { wall, lossWMK: lossOfPipe(size.innerDiameter) },
    }
  })
}
