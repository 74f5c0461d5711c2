import type { Branches } from '../physics/network.ts'
import { valveResistance } from '../physics/valve-body.ts'
import type { PlantSpec } from './plant-spec.ts'

/** Circuit, strainer and valve of every branch at the openings before the run, Pa/(kg/s)². */
export const branchesOf = ({ buildings, bypass }: Pick<PlantSpec, 'buildings' | 'bypass'>): Branches => ({
  junction: Int32Array.from([
    ...buildings.map(({ junction }) => junction),
    ...(bypass ? [bypass.junction] : []),
  ]),
  resistance: Float64Array.from([
    ...buildings.map(
      ({ circuit, strainer, valve, opening }) => circuit + strainer + valveResistance(valve, opening),
    ),
    ...(bypass ? [bypass.resistance] : []),
  ]),
})
