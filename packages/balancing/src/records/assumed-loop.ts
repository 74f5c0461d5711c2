import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { type CircuitSpec, type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import { resistance } from '@isotherm/kernel/quantities'
import { sum } from '@isotherm/kernel/statistics'
import { logMeanDifference } from '@isotherm/thermal/households/radiator'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import { USUAL_PRIOR } from '../identify/identify-loop.ts'
import type { ClosingPipe } from '../invert/ring-mains.ts'
import { createLoop, type LoopModel, sumFlows } from '../loop/loop-model.ts'
import { stationPipe, usualPipe } from './assumed-pipes.ts'
import { curveSourceOf, recordedValve, type ValveFacts } from './assumed-valve.ts'
import { type AreaEstimate, type AreaFacts, type AreaReadings, estimateAreas } from './estimate-areas.ts'
import type { LoopRecords } from './loop-records.ts'
import { findWays, RECORDED_SIGMA, type RecordedPipe, toPipeSpec, withoutDeadEnds } from './recorded-pipes.ts'
import { ASSUMED_DROP, estimateStationDrop, type StationDrop, type StationReadings } from './station-drop.ts'

/** Facts about one consumer in a company's tree, and about its valve. */
export interface AssumedUnit extends ValveFacts {
  /** Heated floor area, m²; if it is not above zero, it is estimated (estimate-areas.ts). */
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
export const USUAL_DESIGN: AssumedDesign = { heatWM2: 40, dropK: 10, stationDropPa: ASSUMED_DROP.dropPa }

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
/** Exponent of a pipe's resistance as a function of its flow, with diameters chosen for equal friction. */
const RESISTANCE_BY_FLOW = 2
/** Widest uncertainty of a pipe's resistance. */
const MAX_MAINS_SIGMA = 1

/** What measurements say about records. It survives JSON. */
export interface RecordEstimates {
  readonly areas: AreaEstimate
  /** Loss of the station's exchanger. */
  readonly station: StationDrop
}

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

const listUnits = ({ areas }: AssumedStation): readonly AssumedUnit[] =>
  areas.flatMap(({ buildings }) => buildings.flatMap(({ units }) => units))

const emittersOf = ({ emitters }: AssumedUnit) => EMITTERS[emitters ?? 'radiator']

/** Facts of each consumer from which its area can be estimated. */
const toFacts = (station: AssumedStation, { heatWM2, dropK }: AssumedDesign): AreaFacts[] =>
  listUnits(station).map((unit) => {
    const { exponent, supplyC } = emittersOf(unit)
    const excess = logMeanDifference(supplyC - ROOM_C, supplyC - dropK - ROOM_C)
    return {
      areaM2: unit.areaM2,
      kvs: unit.stated?.kvs ?? unit.kvs,
      exponent,
      emitterM2: heatWM2 / excess ** exponent,
      flowM2: heatWM2 / (WATER_HEAT_CAPACITY * dropK),
    }
  })

/** Uncertainty of pipes: that of the station's own, and wider ones where the areas behind assumed pipes are estimated. */
function widen(
  { network }: LoopModel,
  mainsSigma: Float64Array,
  designKgS: Float64Array,
  { areas, station }: RecordEstimates,
): Float64Array {
  const sumBehind = (flows: Float64Array) => sumFlows(network, flows, new Float64Array(network.pipeCount))
  const flow = sumBehind(designKgS)
  const variance = sumBehind(designKgS.map((own, i) => (own * (areas.sigma[i] ?? 0)) ** 2))
  return mainsSigma.map((sigma, pipe) => {
    if (pipe === 0) return station.sigma
    if (sigma === RECORDED_SIGMA) return sigma
    const behind = Math.sqrt(variance[pipe] ?? 0) / (flow[pipe] ?? 1)
    return Math.min(MAX_MAINS_SIGMA, Math.hypot(sigma, RESISTANCE_BY_FLOW * behind))
  })
}

/**
 * Records of a station from its tree and from its recorded pipes. Consumers are in the order of areas, buildings and
 * units. Pipes, circuits and emitters are as usually designed for the floor area behind them. Valves are as stated, else
 * as on their name plates, else equal-percentage. What is not recorded comes from estimates of the station, if there are
 * any. One snapshot makes such a loop reproduce the readings; it says little about the mains when other valves move. The
 * quality is shown in assumed-loop.test.ts and in `bench balancing`.
 */
export function assumeRecords(
  station: AssumedStation,
  options: Partial<AssumedDesign> = {},
  estimates?: RecordEstimates,
): LoopRecords {
  const stationDropPa = estimates?.station.dropPa ?? USUAL_DESIGN.stationDropPa
  const design = { ...USUAL_DESIGN, stationDropPa, ...options }
  const known = listUnits(station)
  const facts = toFacts(station, design)
  const found = estimates?.areas ?? estimateAreas(facts)
  const areaM2 = Float64Array.from(found.areaM2)
  const designKgS = areaM2.map((area, i) => area * (facts[i]?.flowM2 ?? 0))
  const flowOf = (i: number): number => designKgS[i] ?? 0
  let next = 0
  const streets = station.areas.map(
    ({ place, buildings }): StreetFlows => ({
      place,
      buildings: buildings.map((building) => ({
        place: building.place,
        units: building.units.map((unit) => ({ place: unit.place, flowKgS: flowOf(next++) })),
      })),
    }),
  )
  const { pipes, nodes, hasPipe, mainsSigma, closing } = layPipes(streets, station, design)
  const circuits = known.map(
    (unit, i): CircuitSpec => ({
      node: nodes[i] ?? 0,
      resistance: resistance(emittersOf(unit).dropPa / flowOf(i) ** 2),
    }),
  )
  const valves = known.map((unit, i) => recordedValve(unit, flowOf(i)))
  const outcome = createLoop(pipes, circuits, valves, WARM_WATER)
  if (outcome.kind !== 'loop') throw new RangeError(`no loop can be assumed: ${outcome.kind}`)
  return {
    loop: outcome.model,
    mainsSigma: estimates ? widen(outcome.model, mainsSigma, designKgS, estimates) : mainsSigma,
    closing,
    exponent: Float64Array.from(facts, ({ exponent }) => exponent),
    areaM2,
    areaSource: found.source,
    areaSigma: Float64Array.from(found.sigma),
    designKgS,
    emitter: areaM2.map((area, i) => area * (facts[i]?.emitterM2 ?? 0)),
    curves: known.map(curveSourceOf),
    assumed: {
      areas: Uint8Array.from(found.source, (source) => (source === 'recorded' ? 0 : 1)),
      plates: Uint8Array.from(known, ({ kvs, stated }) =>
        kvs === undefined && stated === undefined ? 1 : 0,
      ),
      pipes: Uint8Array.from(hasPipe, (isLaid) => (isLaid ? 0 : 1)),
      pressures: estimates?.station.source !== 'pressures',
    },
  }
}

/** Readings from which records are estimated; arrays by consumer. */
export interface RecordReadings extends AreaReadings, StationReadings {}

/**
 * Estimates what the records of a station do not have from readings: floor areas, and the loss of its exchanger. Worked
 * examples: estimate-areas.test.ts, station-drop.test.ts.
 */
export function estimateRecords(station: AssumedStation, readings: RecordReadings): RecordEstimates {
  const areas = estimateAreas(toFacts(station, USUAL_DESIGN), readings)
  const records = assumeRecords(station, {}, { areas, station: ASSUMED_DROP })
  return { areas, station: estimateStationDrop(records, readings) }
}
