import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { type CircuitSpec, type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import { resistance } from '@isotherm/kernel/quantities'
import { median, sum } from '@isotherm/kernel/statistics'
import { logMeanDifference } from '@isotherm/thermal/households/radiator'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import { USUAL_PRIOR } from '../identify/identify-loop.ts'
import type { ClosingPipe } from '../invert/ring-mains.ts'
import { createLoop } from '../loop/loop-model.ts'
import { stationPipe, usualPipe } from './assumed-pipes.ts'
import { curveSourceOf, recordedValve, type ValveFacts } from './assumed-valve.ts'
import type { LoopRecords } from './loop-records.ts'
import { findWays, RECORDED_SIGMA, type RecordedPipe, toPipeSpec, withoutDeadEnds } from './recorded-pipes.ts'

/** Facts about one consumer in a company's tree, and about its valve. */
export interface AssumedUnit extends ValveFacts {
  /** Heated floor area, m²; if it is not above zero, the mean of the others is used. */
  readonly areaM2: number
  readonly emitters?: keyof typeof EMITTERS | undefined
  /** Name of its place in recorded pipes. */
  readonly place?: string
}

export interface AssumedBuilding {
  readonly units: readonly AssumedUnit[]
  readonly place?: string
}

export interface AssumedArea {
  readonly buildings: readonly AssumedBuilding[]
  readonly place?: string
}

/**
 * Everything behind one station: residential areas, their buildings in the order of the street, and the units of
 * each. Pipes are as recorded as far as records reach from the station's place, and assumed beyond.
 */
export interface AssumedStation {
  readonly areas: readonly AssumedArea[]
  readonly place?: string
  readonly pipes?: readonly RecordedPipe[]
}

export interface AssumedDesign {
  /** Design heat load, W/m², and design temperature drop, K. */
  readonly heatWM2: number
  readonly dropK: number
  /**
   * Head loss of exchanger and strainer between the points where the station's head is measured, Pa at the design
   * flow.
   */
  readonly stationDropPa: number
}

/** Well-insulated dwellings (CJJ 34: 40 to 45 W/m²), a drop of 10 K, an exchanger of 5 m. */
export const USUAL_DESIGN: AssumedDesign = { heatWM2: 40, dropK: 10, stationDropPa: 50_000 }

/**
 * Distances from one building to the next along the street, from the street to a building, and from unit to unit in
 * its cellar, m.
 */
const SPACING_M = { street: 45, branch: 20, cellar: 15 } as const
/** ζ of the bends and tees of each. */
const BENDS = { street: 2, branch: 4, cellar: 3 } as const
/**
 * Drop of risers, radiators and strainer behind a valve, Pa at the design flow; emitters at their design
 * temperatures.
 */
const EMITTERS = {
  radiator: { dropPa: 20_000, exponent: 1.3, supplyC: 50 },
  floor: { dropPa: 25_000, exponent: 1.1, supplyC: 45 },
  // A fan at one speed: its heat is proportional to the temperature difference.
  'fan-coil': { dropPa: 25_000, exponent: 1, supplyC: 50 },
} as const
const ROOM_C = 20
/** Floor area of a consumer if none is known, m². */
const ANY_AREA_M2 = 1000

/** Design flow of each unit, kg/s, along the street. */
interface StreetFlows {
  readonly place: string | undefined
  readonly buildings: readonly {
    readonly place: string | undefined
    readonly units: readonly { readonly place: string | undefined; readonly flowKgS: number }[]
  }[]
}

const buildingFlow = ({ units }: StreetFlows['buildings'][number]): number =>
  sum(units.map(({ flowKgS }) => flowKgS))
const streetFlow = (buildings: StreetFlows['buildings']): number => sum(buildings.map(buildingFlow))

/**
 * The pipe of every unit, and all pipes: recorded ones as far as they lead; from there a street to each area, a
 * branch to each building and a cellar pipe to each unit.
 */
function layPipes(areas: readonly StreetFlows[], station: AssumedStation, design: AssumedDesign) {
  const pipes: PipeSpec[] = [
    stationPipe(SOURCE, sum(areas.map(({ buildings }) => streetFlow(buildings))), design.stationDropPa),
  ]
  const lay = (kind: keyof typeof SPACING_M, parent: number, flowKgS: number): number =>
    pipes.push(usualPipe(parent, SPACING_M[kind], flowKgS, BENDS[kind])) - 1
  const { laid, closing } = layRecorded(areas, station, pipes)
  const assumedFrom = pipes.length
  const at = (place: string | undefined): number | undefined =>
    place === undefined ? undefined : laid.get(place)
  const nodes: number[] = []
  const hasPipe: boolean[] = []
  for (const { place, buildings } of areas) {
    let street = at(place) ?? 0
    const onStreet = buildings.filter((building) => at(building.place) === undefined)
    for (const building of buildings) {
      let node = at(building.place)
      if (node === undefined) {
        street = lay('street', street, streetFlow(onStreet.slice(onStreet.indexOf(building))))
        node = lay('branch', street, buildingFlow(building))
      }
      const inCellar = building.units.filter((unit) => at(unit.place) === undefined)
      for (const unit of building.units) {
        const own = at(unit.place)
        if (own === undefined)
          node = lay(
            'cellar',
            node,
            sum(inCellar.slice(inCellar.indexOf(unit)).map(({ flowKgS }) => flowKgS)),
          )
        nodes.push(own ?? node)
        hasPipe.push((own ?? at(building.place)) !== undefined)
      }
    }
  }
  const mainsSigma = Float64Array.from(pipes, (_, index) =>
    index > 0 && index < assumedFrom ? RECORDED_SIGMA : USUAL_PRIOR.mains,
  )
  return { pipes, nodes, hasPipe, mainsSigma, closing }
}

/**
 * Adds the recorded pipes that lead from the station to some place of its loop, and finds those that close rings.
 * Places are identified by the pipe that ends there.
 */
function layRecorded(
  areas: readonly StreetFlows[],
  { place: source, pipes: records = [] }: AssumedStation,
  pipes: PipeSpec[],
) {
  const laid = new Map<string, number>()
  if (source === undefined || records.length === 0) return { laid, closing: [] }
  const all = areas.flatMap((area) => [
    area,
    ...area.buildings,
    ...area.buildings.flatMap(({ units }) => units),
  ])
  const leading = withoutDeadEnds(records, new Set([source, ...all.flatMap(({ place }) => place ?? [])]))
  const ways = findWays(leading, source)
  for (const [place, { above, pipe }] of ways)
    laid.set(place, pipes.push(toPipeSpec(laid.get(above) ?? 0, pipe)) - 1)
  const inTree = new Set([...ways.values()].map(({ pipe }) => pipe))
  const endOf = (place: string): number | undefined => (place === source ? 0 : laid.get(place))
  const closing = leading.flatMap((pipe): ClosingPipe[] => {
    const [from, to] = [endOf(pipe.from), endOf(pipe.to)]
    if (inTree.has(pipe) || from === undefined || to === undefined) return []
    return [{ from, to, spec: toPipeSpec(from, pipe) }]
  })
  return { laid, closing }
}

/**
 * Records of a station from its tree and from its recorded pipes. Consumers are in the order of areas, buildings and
 * units. Pipes, circuits and emitters are as usually designed for the floor area behind them. Valves are as stated, else as
 * on their name plates, else equal-percentage. One snapshot makes such a loop reproduce the readings; it says little about the mains when other
 * valves move. The quality is shown in assumed-loop.test.ts and in `bench balancing`.
 */
export function assumeRecords(station: AssumedStation, options: Partial<AssumedDesign> = {}): LoopRecords {
  const { areas } = station
  const design = { ...USUAL_DESIGN, ...options }
  const known = areas.flatMap(({ buildings }) => buildings.flatMap(({ units }) => units))
  const usual = median(known.filter(({ areaM2 }) => areaM2 > 0).map(({ areaM2 }) => areaM2)) ?? ANY_AREA_M2
  const areaOf = ({ areaM2 }: AssumedUnit): number => (areaM2 > 0 ? areaM2 : usual)
  const flowOf = (unit: AssumedUnit): number =>
    (design.heatWM2 * areaOf(unit)) / (WATER_HEAT_CAPACITY * design.dropK)
  const emittersOf = ({ emitters }: AssumedUnit) => EMITTERS[emitters ?? 'radiator']
  const streets = areas.map(
    ({ place, buildings }): StreetFlows => ({
      place,
      buildings: buildings.map((building) => ({
        place: building.place,
        units: building.units.map((unit) => ({ place: unit.place, flowKgS: flowOf(unit) })),
      })),
    }),
  )
  const { pipes, nodes, hasPipe, mainsSigma, closing } = layPipes(streets, station, design)
  const circuits = known.map(
    (unit, i): CircuitSpec => ({
      node: nodes[i] ?? 0,
      resistance: resistance(emittersOf(unit).dropPa / flowOf(unit) ** 2),
    }),
  )
  const valves = known.map((unit) => recordedValve(unit, flowOf(unit)))
  const outcome = createLoop(pipes, circuits, valves, WARM_WATER)
  if (outcome.kind !== 'loop') throw new RangeError(`no loop can be assumed: ${outcome.kind}`)
  return {
    loop: outcome.model,
    mainsSigma,
    closing,
    exponent: Float64Array.from(known, (unit) => emittersOf(unit).exponent),
    areaM2: Float64Array.from(known, areaOf),
    designKgS: Float64Array.from(known, flowOf),
    emitter: Float64Array.from(known, (unit) => {
      const { exponent, supplyC } = emittersOf(unit)
      const excess = logMeanDifference(supplyC - ROOM_C, supplyC - design.dropK - ROOM_C)
      return (design.heatWM2 * areaOf(unit)) / excess ** exponent
    }),
    curves: known.map(curveSourceOf),
    assumed: {
      areas: Uint8Array.from(known, ({ areaM2 }) => (areaM2 > 0 ? 0 : 1)),
      plates: Uint8Array.from(known, ({ kvs, stated }) =>
        kvs === undefined && stated === undefined ? 1 : 0,
      ),
      pipes: Uint8Array.from(hasPipe, (isLaid) => (isLaid ? 0 : 1)),
    },
  }
}
