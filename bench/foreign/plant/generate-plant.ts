import { createRandom, type Random, sampleNormal } from '@isotherm/kernel/random'
import { EMITTERS, type EmitterType } from '../physics/emitters.ts'
import { solveNetwork, type Trench } from '../physics/network.ts'
import { heatRunOf } from '../physics/pipe-run.ts'
import type { ValveBody, ValveShape } from '../physics/valve-body.ts'
import { WATER } from '../physics/water.ts'
import { branchesOf } from './branches.ts'
import { type BuildingDraft, buildFlats, FLATS_PER_BUILDING } from './build-flats.ts'
import { clogStrainers } from './clog-strainers.ts'
import type { BuildingSpec, PlantChanges, PlantSpec, PumpSpec } from './plant-spec.ts'
import { lossToJunctions, PLATES, sizePipe, sizeValve } from './size-network.ts'

/** Buildings on each street; a street is a chain of junctions with one or two buildings each. */
const STREETS = [24, 20, 16] as const
/** Share of junctions that two buildings share. */
const SHARED = 0.4
/** Heat load by age of the walls, W/m²: old, insulated later, new; and their shares. */
const AGES = [
  { heatWM2: 52, share: 0.3 },
  { heatWM2: 40, share: 0.4 },
  { heatWM2: 30, share: 0.3 },
] as const
/** Friction by which mains and services are sized, Pa/m. */
const MAIN_PA_M = 140
const SERVICE_PA_M = 250
const LOSS_WMK = 0.25
/** Total flow before a balance, relative to the design flow: pumps are turned up until complaints stop. */
const FLOW_BEFORE = 1.05

const between = (random: Random, low: number, high: number): number => low + (high - low) * random()
const lognormal = (random: Random, deviation: number): number => Math.exp(sampleNormal(random, 0, deviation))

function draftBuilding(random: Random, floorShare: number): BuildingDraft {
  const [age, kind] = [random(), random()]
  const { heatWM2 } = age < AGES[0].share ? AGES[0] : age < AGES[0].share + AGES[1].share ? AGES[1] : AGES[2]
  const plannedWM2 = heatWM2 * between(random, 0.95, 1.05)
  const emitter: EmitterType =
    kind < floorShare ? 'floor' : kind < floorShare + 0.12 ? 'convector' : 'radiator'
  const usual = between(random, 65, 125)
  const areasM2 = Array.from({ length: FLATS_PER_BUILDING }, () => usual * between(random, 0.85, 1.15))
  return { emitter, plannedWM2, trueWM2: plannedWM2 * lognormal(random, 0.09), areasM2 }
}

/** Flow for which pipes and valves of a building are planned, kg/s. */
function designFlow({ emitter, plannedWM2, areasM2 }: BuildingDraft): number {
  const area = areasM2.reduce((sum, each) => sum + each, 0)
  return (plannedWM2 * area) / (WATER.heatJKgK * EMITTERS[emitter].dropK)
}

interface Laid {
  readonly trenches: (Trench & { readonly wallM: number })[]
  readonly places: { readonly junction: number; readonly street: number }[]
  readonly streets: { readonly buildings: number[] }[]
  /** Junction at the end of the last street. */
  readonly end: number
}

/** Streets from the station: chains of shared junctions, and a service trench to each building. */
function layTrenches(designKgS: readonly number[], sizes: readonly number[], random: Random): Laid {
  const trenches: (Trench & { readonly wallM: number })[] = []
  const lay = (before: number, lengthM: number, flowKgS: number, maxPaM: number, zeta: number): number =>
    trenches.push({
      before,
      lengthM,
      zeta,
      ...sizePipe(flowKgS, maxPaM),
      roughnessM: 0.00035 * lognormal(random, 0.35),
    }) - 1
  const flowOf = (from: number, to: number): number =>
    designKgS.slice(from, to).reduce((sum, flow) => sum + flow, 0)
  const root = lay(-1, between(random, 20, 60), flowOf(0, designKgS.length), MAIN_PA_M, 6)
  const places: Laid['places'] = []
  const streets: Laid['streets'] = []
  let first = 0
  let end = root
  for (const size of sizes) {
    let [at, building] = [root, first]
    const own: number[] = []
    while (building < first + size) {
      const here = random() < SHARED ? Math.min(2, first + size - building) : 1
      at = lay(at, between(random, 25, 60), flowOf(building, first + size), MAIN_PA_M, 2)
      for (const each of Array.from({ length: here }, (_, index) => building + index)) {
        const service = lay(at, between(random, 6, 40), designKgS[each] ?? 0, SERVICE_PA_M, 5)
        places.push({ junction: service, street: at })
        own.push(each)
      }
      building += here
    }
    streets.push({ buildings: own })
    first += size
    end = at
  }
  return { trenches, places, streets, end }
}

/** Flows of all trenches at the design flows of the buildings, kg/s. */
function designFlows({ trenches, places }: Laid, designKgS: readonly number[]): Float64Array {
  const flow = new Float64Array(trenches.length)
  for (const [building, { junction }] of places.entries())
    for (let at = junction; at >= 0; at = trenches[at]?.before ?? -1)
      flow[at] = (flow[at] ?? 0) + (designKgS[building] ?? 0)
  return flow
}

/** Pump for the index loop at the design flow, with the speed that gives the usual total flow before a balance. */
function suitPump(
  plant: Omit<PlantSpec, 'pump'>,
  {
    needPa,
    totalKgS,
    kind,
  }: { readonly needPa: number; readonly totalKgS: number; readonly kind: PlantChanges['pump'] },
  exchangerPa: number,
): PumpSpec {
  const exchanger = exchangerPa / totalKgS ** 2
  const start = Float64Array.from([
    ...plant.buildings.map(({ designKgS }) => designKgS),
    ...(plant.bypass ? [0.1] : []),
  ])
  const at = (shutOffPa: number) => {
    const curve = (0.25 * shutOffPa) / totalKgS ** 2
    const head = (flow: number): number => shutOffPa - (curve + exchanger) * flow * Math.abs(flow)
    return { curve, solved: solveNetwork(plant.trenches, branchesOf(plant), plant.leaks, head, start) }
  }
  let [low, high] = [0.3 * needPa, 6 * needPa]
  for (let round = 0; round < 25; round++) {
    const middle = (low + high) / 2
    if (at(middle).solved.totalKgS < FLOW_BEFORE * totalKgS) low = middle
    else high = middle
  }
  const { curve, solved } = at(high)
  return { shutOffPa: high, curve, exchanger, holdPa: kind === 'constant-head' ? solved.headPa : undefined }
}

/** A plant by seed. The same seed gives the same streets, buildings and flats whatever the changes of a case. */
export function generatePlant(changes: PlantChanges): PlantSpec {
  const {
    seed,
    streets: sizes = STREETS,
    linearShare = 0,
    ballShare = 0,
    floorShare = 0,
    pump = 'constant-speed',
    clogged = 0,
  } = changes
  const stream = (offset: number): Random => createRandom(1000 * seed + offset)
  const drafting = stream(1)
  const count = sizes.reduce((sum, size) => sum + size, 0)
  const drafts = Array.from({ length: count }, () => draftBuilding(drafting, floorShare))
  const designKgS = drafts.map(designFlow)
  const laid = layTrenches(designKgS, sizes, stream(2))
  const [circuits, valves, shapes, clogs] = [stream(3), stream(4), stream(5), stream(6)]
  const dirty = new Set<number>()
  while (dirty.size < clogged) dirty.add(8 + Math.floor(clogs() * (count - 12)))
  const buildings = drafts.map((draft, index): BuildingSpec => {
    const flow = designKgS[index] ?? 0
    const place = laid.places[index] ?? { junction: 0, street: 0 }
    const draw = shapes()
    const shape: ValveShape =
      draw < linearShare ? 'linear' : draw < linearShare + ballShare ? 'ball' : 'equal'
    const { kvs } = PLATES[sizeValve(flow)] ?? PLATES[0]
    const valve: ValveBody = {
      shape,
      kvs: kvs * lognormal(valves, 0.06),
      ratio: 40 * lognormal(valves, 0.12),
    }
    const dropPa = (draft.emitter === 'floor' ? 22_000 : 15_000) * lognormal(circuits, 0.45)
    const strainer = (3000 * lognormal(circuits, 0.3)) / flow ** 2
    return {
      ...place,
      emitter: draft.emitter,
      areaM2: draft.areasM2.reduce((sum, area) => sum + area, 0),
      designKgS: flow,
      circuit: dropPa / flow ** 2,
      strainer,
      valve,
      opening: Math.round(100 * between(valves, 0.4, 1)) / 100,
      backlash: between(valves, 0.004, 0.02),
    }
  })
  const totalKgS = designKgS.reduce((sum, flow) => sum + flow, 0)
  const loss = lossToJunctions(laid.trenches, designFlows(laid, designKgS))
  const needPa = Math.max(
    ...buildings.map(
      ({ junction, circuit, designKgS: flow }) => (loss[junction] ?? 0) + circuit * flow ** 2 + 9000,
    ),
  )
  const own = stream(7)
  const exchangerPa = between(own, 25_000, 70_000)
  const endPa = 0.4 * needPa
  const rest = {
    seed,
    buildings,
    trenches: laid.trenches,
    runs: laid.trenches.map(({ lengthM, innerM, wallM }) => heatRunOf(lengthM, innerM, wallM, LOSS_WMK)),
    streets: laid.streets,
    // A by-pass at the end of the last street passes about 1.5 % of the flow.
    bypass: { junction: laid.end, resistance: endPa / (0.015 * totalKgS) ** 2 },
    leaks: [{ junction: laid.places[31]?.street ?? 0, flowKgS: 0.003 * totalKgS }],
    flats: buildFlats(drafts, stream(8)),
    heating: { coldC: 49, mildC: 37.5 },
  }
  const plant = { ...rest, pump: suitPump(rest, { needPa, totalKgS, kind: pump }, exchangerPa) }
  return clogStrainers(plant, dirty)
}
