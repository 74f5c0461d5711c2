import { createLoop, scalePipes } from '@isotherm/balancing/loop/loop-model'
import { assumeRecords } from '@isotherm/balancing/records/assumed-loop'
import { kvsOfPlate } from '@isotherm/balancing/records/assumed-valve'
import type { LoopRecords } from '@isotherm/balancing/records/loop-records'
import type { ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { flowCoefficient, resistance } from '@isotherm/kernel/quantities'
import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { logMeanDifference } from '@isotherm/thermal/households/radiator'
import type { StationSpec, UnitSpec } from '../../apps/twin/src/scenarios/scenario.ts'

/** Design records: pressure drops of circuits, Pa at the design flow, and emitters with their design temperatures. */
const designs = {
  radiators: { dropPa: 18_000, exponent: 1.3, supplyC: 50, returnC: 40 },
  floor: { dropPa: 25_000, exponent: 1.1, supplyC: 47, returnC: 39 },
} as const
const PLATE_RANGEABILITY = 40
/** Error of the recorded resistance of pipes: standard deviation of its natural logarithm. */
const MAINS_DEVIATION = 0.3
/** The same for the emitters of each building. It causes the error of a flow that is computed from temperatures. */
const EMITTER_DEVIATION = 0.1
const DESIGN_W_M2 = 35
const DESIGN_ROOM_C = 20

/** The valve described by a name plate such as `DN32 Kvs16`. */
function toPlateValve({ valveModel }: UnitSpec): ValveCharacteristic {
  const kvs = Number(/Kvs([\d.]+)/.exec(valveModel)?.[1])
  return { kind: 'equal-percentage', kvs: flowCoefficient(kvs), rangeability: PLATE_RANGEABILITY }
}

const areaOf = ({ key, households }: UnitSpec, wrongAreas: ReadonlyMap<string, number>): number =>
  (wrongAreas.get(key) ?? 1) * households.reduce((sum, flat) => sum + flat.areaM2, 0)

/** Design records of a station, with the usual errors: resistances of pipes, circuits, emitters and valve name plates. */
export function toDesignRecords(
  spec: StationSpec,
  seed: number,
  wrongAreas: ReadonlyMap<string, number> = new Map(),
): LoopRecords {
  const random = createRandom(seed + 91)
  const areaM2 = Float64Array.from(spec.units, (unit) => areaOf(unit, wrongAreas))
  const circuits = spec.units.map(({ node, emitters, designFlow }) => ({
    node,
    resistance: resistance(designs[emitters].dropPa / designFlow ** 2),
  }))
  const outcome = createLoop(spec.pipes, circuits, spec.units.map(toPlateValve), WARM_WATER)
  if (outcome.kind !== 'loop') throw new Error(`the records are no tree: ${outcome.kind}`)
  const factor = Float64Array.from(spec.pipes, () => Math.exp(sampleNormal(random, 0, MAINS_DEVIATION)))
  return {
    loop: scalePipes(outcome.model, factor),
    exponent: Float64Array.from(spec.units, ({ emitters }) => designs[emitters].exponent),
    areaM2,
    designKgS: Float64Array.from(spec.units, (unit) => unit.designFlow),
    emitter: Float64Array.from(spec.units, (unit, i) => {
      const { exponent, supplyC, returnC } = designs[unit.emitters]
      const excess = logMeanDifference(supplyC - DESIGN_ROOM_C, returnC - DESIGN_ROOM_C)
      const error = Math.exp(sampleNormal(random, 0, EMITTER_DEVIATION))
      return (error * DESIGN_W_M2 * (areaM2[i] ?? 0)) / excess ** exponent
    }),
  }
}

/** Records of a station without design data, assumed from its buildings, floors and valve name plates. */
export function assumeFromTree(
  { buildings, units }: StationSpec,
  wrongAreas: ReadonlyMap<string, number> = new Map(),
): LoopRecords {
  const toUnit = (unit: UnitSpec) => ({
    areaM2: areaOf(unit, wrongAreas),
    kvs: kvsOfPlate(unit.valveModel),
    emitters: unit.emitters === 'floor' ? ('floor' as const) : ('radiator' as const),
  })
  const streets = Map.groupBy(buildings, ({ area }) => area)
  return assumeRecords({
    areas: [...streets.values()].map((street) => ({
      buildings: street.map((building) => ({
        units: building.units.flatMap((unit) => units[unit] ?? []).map(toUnit),
      })),
    })),
  })
}
