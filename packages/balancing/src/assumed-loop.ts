import { type CircuitSpec, type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree-network'
import { WARM_WATER } from '@isotherm/hydraulics/water'
import { resistance } from '@isotherm/kernel/quantities'
import { logMeanDifference } from '@isotherm/thermal/radiator'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import { stationPipe, usualPipe } from './assumed-pipes.ts'
import { assumedValve, usualKvs } from './assumed-valve.ts'
import { createLoop } from './loop-model.ts'
import type { LoopRecords } from './loop-records.ts'
import { median } from './statistics.ts'

/** What a company's tree says of one consumer. */
export interface AssumedUnit {
  /** Heated floor, m²; where it is not above zero, as much as the others have. */
  readonly areaM2: number
  /** Of its valve, m³/h at 1 bar (`kvsOfPlate`); without it, of the smallest that fits. */
  readonly kvs?: number | undefined
  readonly emitters?: 'radiators' | 'floor' | undefined
}

/** Everything behind one station: residential areas, their buildings in the order of the street, and units along each. */
export interface AssumedStation {
  readonly areas: readonly { readonly buildings: readonly { readonly units: readonly AssumedUnit[] }[] }[]
}

export interface AssumedDesign {
  /** Heat and water are laid out for this, W/m² and K. */
  readonly heatWM2: number
  readonly dropK: number
  /** What exchanger and strainer take between the points where the station's head is measured, Pa at the design flow. */
  readonly stationDropPa: number
}

/** Improved dwellings (CJJ 34: 40 to 45 W/m²), water 10 K colder when it comes back, an exchanger of 5 m. */
export const USUAL_DESIGN: AssumedDesign = { heatWM2: 40, dropK: 10, stationDropPa: 50_000 }

/** From one building to the next along the street, from the street to a building, and from unit to unit in its cellar, m. */
const SPACING_M = { street: 45, branch: 20, cellar: 15 } as const
/** ζ of the bends and tees of each. */
const BENDS = { street: 2, branch: 4, cellar: 3 } as const
/** Drop of risers, radiators and strainer behind a valve, Pa at the design flow; emitters at their design temperatures. */
const EMITTERS = {
  radiators: { dropPa: 20_000, exponent: 1.3, supplyC: 50 },
  floor: { dropPa: 25_000, exponent: 1.1, supplyC: 45 },
} as const
const ROOM_C = 20
/** Where no floor at all is known, m². */
const ANY_AREA_M2 = 1000

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** A pipe's place for every unit, and the pipes: a street to each area, a branch to each building, a cellar pipe to each unit. */
function layPipes(areas: readonly (readonly (readonly number[])[])[], design: AssumedDesign) {
  const flowOf = (buildings: readonly (readonly number[])[]): number => sum(buildings.map(sum))
  const pipes: PipeSpec[] = [stationPipe(SOURCE, sum(areas.map(flowOf)), design.stationDropPa)]
  const lay = (kind: keyof typeof SPACING_M, parent: number, flowKgS: number): number =>
    pipes.push(usualPipe(parent, SPACING_M[kind], flowKgS, BENDS[kind])) - 1
  const nodes: number[] = []
  for (const buildings of areas) {
    let street = 0
    buildings.forEach((units, building) => {
      street = lay('street', street, flowOf(buildings.slice(building)))
      let node = lay('branch', street, sum(units))
      units.forEach((_, unit) => {
        node = lay('cellar', node, sum(units.slice(unit)))
        nodes.push(node)
      })
    })
  }
  return { pipes, nodes }
}

/**
 * Records of a station of which nobody has any, from its tree alone: consumers in the order of areas, buildings and units.
 * Pipes, circuits and emitters are as usually laid out for the floor behind them, valves equal-percentage. One snapshot
 * makes such a loop repeat what is measured; it says little of what mains do when others move. How far that carries:
 * assumed-loop.test.ts, and `bench balancing`.
 */
export function assumeRecords({ areas }: AssumedStation, options: Partial<AssumedDesign> = {}): LoopRecords {
  const design = { ...USUAL_DESIGN, ...options }
  const known = areas.flatMap(({ buildings }) => buildings.flatMap(({ units }) => units))
  const usual = median(known.filter(({ areaM2 }) => areaM2 > 0).map(({ areaM2 }) => areaM2)) ?? ANY_AREA_M2
  const areaOf = ({ areaM2 }: AssumedUnit): number => (areaM2 > 0 ? areaM2 : usual)
  const flowOf = (unit: AssumedUnit): number =>
    (design.heatWM2 * areaOf(unit)) / (WATER_HEAT_CAPACITY * design.dropK)
  const emittersOf = ({ emitters }: AssumedUnit) => EMITTERS[emitters ?? 'radiators']
  const { pipes, nodes } = layPipes(
    areas.map(({ buildings }) => buildings.map(({ units }) => units.map(flowOf))),
    design,
  )
  const circuits = known.map(
    (unit, i): CircuitSpec => ({
      node: nodes[i] ?? 0,
      resistance: resistance(emittersOf(unit).dropPa / flowOf(unit) ** 2),
    }),
  )
  const valves = known.map((unit) => assumedValve(unit.kvs ?? usualKvs(flowOf(unit))))
  const outcome = createLoop(pipes, circuits, valves, WARM_WATER)
  if (outcome.kind !== 'loop') throw new RangeError(`no loop can be assumed: ${outcome.kind}`)
  return {
    loop: outcome.model,
    exponent: Float64Array.from(known, (unit) => emittersOf(unit).exponent),
    areaM2: Float64Array.from(known, areaOf),
    designKgS: Float64Array.from(known, flowOf),
    emitter: Float64Array.from(known, (unit) => {
      const { exponent, supplyC } = emittersOf(unit)
      const excess = logMeanDifference(supplyC - ROOM_C, supplyC - design.dropK - ROOM_C)
      return (design.heatWM2 * areaOf(unit)) / excess ** exponent
    }),
  }
}
