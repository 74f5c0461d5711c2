import {
  createHouseholds,
  type Households,
  type Partition,
  partitionConductance,
} from '@isotherm/thermal/households/households'
import type { StationSpec, UnitSpec } from '../scenarios/scenario.ts'

/** Heat transfer of a slab between storeys and of a wall between flats, W/(m²·K) from air to air (balancing.md B.4). */
const SLAB_U = 2.4
const WALL_U = 1.9
/** Area of the wall between two flats of a storey, m². */
const WALL_M2 = 25

/** Slabs and walls between the flats of a unit; `first` is the index of its first flat in the station. */
function partitionsOf(unit: UnitSpec, first: number): Partition[] {
  const byFloor = Map.groupBy(
    unit.households.map((flat, index) => ({ flat, index: first + index })),
    ({ flat }) => flat.floor,
  )
  return [...byFloor].flatMap(([floor, flats]) =>
    flats.flatMap(({ flat, index }, place): Partition[] => {
      const beside = flats[place + 1]
      const above = byFloor.get(floor + 1)?.[place]
      const slabM2 = Math.min(flat.areaM2, above?.flat.areaM2 ?? 0)
      return [
        ...(beside === undefined
          ? []
          : [{ between: index, and: beside.index, conductance: partitionConductance(WALL_U, WALL_M2) }]),
        ...(above === undefined
          ? []
          : [{ between: index, and: above.index, conductance: partitionConductance(SLAB_U, slabM2) }]),
      ]
    }),
  )
}

/** Index of each unit's first flat in the station's households, followed by the number of all flats. */
export function firstFlats(spec: StationSpec): Int32Array {
  const first = new Int32Array(spec.units.length + 1)
  spec.units.forEach((unit, index) => {
    first[index + 1] = (first[index] ?? 0) + unit.households.length
  })
  return first
}

/** All flats of a station in the order of its units, with the slabs and walls within each unit. */
export function createStationHouseholds(
  spec: StationSpec,
  first: Int32Array,
  start: { readonly airC: number; readonly emitterC: number; readonly outsideC: number },
): Households {
  const flats = spec.units.flatMap((unit) => unit.households)
  const partitions = spec.units.flatMap((unit, index) => partitionsOf(unit, first[index] ?? 0))
  const outcome = createHouseholds(flats, partitions, start)
  if (outcome.kind === 'households') return outcome.households
  const which = outcome.kind === 'bad-household' ? `household ${outcome.household} (${outcome.what})` : 'slab'
  throw new Error(`${spec.name}: no physics can be done with a ${which}`)
}
