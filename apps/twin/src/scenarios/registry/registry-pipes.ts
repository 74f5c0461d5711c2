import type { RegistryPipe } from '@isotherm/contract/network/registry-file'
import type { PipeSpec } from '@isotherm/hydraulics/tree/tree-network'
import { createRandom } from '@isotherm/kernel/random'
import type { BuildingSpec, Scenario, StationSpec } from '../scenario.ts'

/** Added to the seed of the scenario, so that the years are drawn from other random numbers than the buildings. */
const SEED_OF_YEARS = 7_000_000
const FIRST_YEAR = 1996
const YEARS_LAID = 18

/** Index of the street pipe that ends where a building's branch starts. */
const streetOf = ({ pipes }: StationSpec, { node }: BuildingSpec): number | undefined => pipes[node]?.parent

const toRecord = (
  { length, innerDiameter }: Pick<PipeSpec, 'length' | 'innerDiameter'>,
  laidYear: number,
) => ({
  // Drawings contain lengths in whole metres and diameters in tenths of a millimetre.
  lengthM: Math.max(1, Math.round(length)),
  innerDiameterMm: Math.round(innerDiameter * 10_000) / 10,
  material: 'steel' as const,
  roughnessMm: null,
  laidYear,
})

/**
 * The mains of a station in its company's archive: from the station along each street from building to building, and the
 * mains that close rings. Branches and cellar pipes are not recorded.
 */
function toMains(station: StationSpec, seed: number): RegistryPipe[] {
  const random = createRandom(seed)
  const streets = [...Map.groupBy(station.buildings, ({ area }) => area).values()]
  const places = new Map<number, string>()
  const mains = streets.flatMap((buildings) => {
    const laidYear = FIRST_YEAR + Math.floor(YEARS_LAID * random())
    return buildings.flatMap((building, index): RegistryPipe[] => {
      const street = streetOf(station, building)
      const pipe = station.pipes[street ?? -1]
      if (street === undefined || pipe === undefined) return []
      places.set(street, building.key)
      return [
        { from: buildings[index - 1]?.key ?? station.key, to: building.key, ...toRecord(pipe, laidYear) },
      ]
    })
  })
  const rings = station.loops.map(({ from, to, pipe }): RegistryPipe => {
    const ends = { from: places.get(from) ?? station.key, to: places.get(to) ?? station.key }
    return { ...ends, ...toRecord(pipe, FIRST_YEAR + YEARS_LAID) }
  })
  return [...mains, ...rings]
}

/** The mains of the heat stations. Of several stations, the last one has no drawings. */
export function toRegistryPipes({ stations, seed }: Scenario): RegistryPipe[] {
  const heated = stations.filter(({ heating }) => heating !== undefined)
  const recorded = heated.length > 1 ? heated.slice(0, -1) : heated
  return recorded.flatMap((station, index) => toMains(station, seed + SEED_OF_YEARS + index))
}
