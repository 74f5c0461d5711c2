import { type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import { celsius, kilogramPerSecond, type Metre, metre, watt } from '@isotherm/kernel/quantities'
import { createRandom, type Random } from '@isotherm/kernel/random'
import { exchangerForDesign } from '@isotherm/thermal/station/heat-exchanger'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import type { AreaLayout, StationLayout } from '../layouts/layout.ts'
import type { BuildingSpec, PipeHeat, StationSpec, UnitSpec } from '../scenario.ts'
import { sampleLoops } from './sample-loops.ts'
import { sampleUnit, type UnitDraft } from './sample-unit.ts'
import { lossOfPipe, sizePipe, sizePump } from './sizing.ts'

/** Share of units with less than their design flow while every valve is at 80 %. */
const STARVED_SHARE = 0.35
const PUMP_SPEED = 0.9
/** Separate the random numbers of floor heating, valves and loops from the others. */
const EMITTERS = 2_000_000
const DEVIATIONS = 4_000_000
const LOOPS = 5_000_000

/** Design temperatures in °C of the exchanger: the district's water, and the heating curve's at −10 °C outside. */
const PRIMARY = { supply: celsius(95), back: celsius(50) } as const
const SECONDARY = { supply: celsius(48), back: celsius(39) } as const
/** Capacity of the primary valve relative to its design flow. */
const PRIMARY_RESERVE = 1.15

/** General properties of a company's buildings and valves. */
export interface StationProperties {
  /** Share of buildings with floor heating, 0..1. */
  readonly floorShare: number
  readonly measuresFlow: boolean
  /** Whether the ends of the streets are joined. */
  readonly ringMains: boolean
}

/** Pipes of a station while it is being generated. */
interface PipeDraft {
  readonly pipes: PipeSpec[]
  readonly heat: PipeHeat[]
}

function addPipe(draft: PipeDraft, parent: number, length: Metre, flowKgS: number, bends: number): number {
  const { wall, ...size } = sizePipe(flowKgS)
  draft.pipes.push({ parent, length, ...size, localLoss: bends, runs: 2 })
  draft.heat.push({ wall, lossWMK: lossOfPipe(size.innerDiameter) })
  return draft.pipes.length - 1
}

const lengthBetween = (random: Random, from: number, to: number): Metre =>
  metre(from + (to - from) * random())

interface AreaDraft {
  readonly area: AreaLayout
  readonly buildings: readonly (readonly UnitDraft[])[]
}

const flowOf = (units: readonly UnitDraft[]): number =>
  units.reduce((sum, unit) => sum + unit.designFlowKgS, 0)

/** Lays the street main, a branch to each building and the cellar pipe from unit to unit. */
function layArea(
  draft: PipeDraft,
  random: Random,
  { area, buildings: drafts }: AreaDraft,
  root: number,
  units: UnitSpec[],
): BuildingSpec[] {
  let street = root
  return area.buildings.map((building, index) => {
    const own = drafts[index] ?? []
    const beyond = flowOf(drafts.slice(index).flat())
    street = addPipe(draft, street, lengthBetween(random, 35, 65), beyond, 2)
    const inlet = addPipe(draft, street, lengthBetween(random, 12, 30), flowOf(own), 4)
    const nodes: number[] = []
    let cellar = inlet
    own.forEach((unit, unitIndex) => {
      cellar = addPipe(draft, cellar, lengthBetween(random, 8, 16), flowOf(own.slice(unitIndex)), 3)
      nodes.push(units.length)
      units.push(unit.toSpec(cellar))
    })
    const { key, name, meter } = building
    return { key, name, area: area.key, meter, node: inlet, units: nodes }
  })
}

/** Random sources of a station: buildings, floor heating, valves. */
interface RandomSources {
  readonly random: Random
  readonly choice: Random
  readonly deviations: Random
}

function draftArea(
  { random, choice, deviations }: RandomSources,
  area: AreaLayout,
  properties: StationProperties,
): AreaDraft {
  const last = Math.max(1, area.buildings.length - 1)
  const buildings = area.buildings.map((building, index) => {
    const emitters = choice() < properties.floorShare ? 'floor' : 'radiators'
    const { measuresFlow } = properties
    return building.units.map((unit) =>
      sampleUnit(random, unit, { deviations, distance: index / last, emitters, measuresFlow }),
    )
  })
  return { area, buildings }
}

/** One heat station with its pipes, buildings and pump. `number`, from 1, selects its random numbers. */
export function sampleStation(
  seed: number,
  number: number,
  layout: StationLayout,
  properties: StationProperties,
): StationSpec {
  const random = createRandom(seed + number)
  const sources = {
    random,
    choice: createRandom(seed + number + EMITTERS),
    deviations: createRandom(seed + number + DEVIATIONS),
  }
  const draft: PipeDraft = { pipes: [], heat: [] }
  const areas = layout.areas.map((area) => draftArea(sources, area, properties))
  const total = flowOf(areas.flatMap((area) => area.buildings.flat()))
  // Exchanger, strainer and pipework of the station count as local losses of its outlet pipe.
  const root = addPipe(draft, SOURCE, metre(20), total, 60)
  const units: UnitSpec[] = []
  const streets = areas.map((area) => layArea(draft, random, area, root, units))
  const loops = properties.ringMains
    ? sampleLoops(createRandom(seed + number + LOOPS), draft.pipes, streets, total)
    : []
  const consumers = units.map((unit) => ({ ...unit, designFlowKgS: unit.designFlow }))
  const heat = total * WATER_HEAT_CAPACITY * (SECONDARY.supply - SECONDARY.back)
  const exchanger = exchangerForDesign(watt(heat), PRIMARY, SECONDARY)
  const { key, name, concentratorSerial, concentratorImei, stationSerial } = layout
  return {
    key,
    name,
    concentratorSerial,
    concentratorImei,
    stationSerial,
    pump: sizePump(name, draft.pipes, consumers, STARVED_SHARE, PUMP_SPEED),
    pumpSpeed: PUMP_SPEED,
    heating: {
      curve: {
        room: celsius(20),
        designOutdoor: celsius(-10),
        designSupply: SECONDARY.supply,
        designReturn: SECONDARY.back,
        exponent: 0.3,
      },
      exchanger,
      maxPrimaryFlow: kilogramPerSecond(exchanger.primaryFlow * PRIMARY_RESERVE),
    },
    watering: undefined,
    pipes: draft.pipes,
    pipeHeat: draft.heat,
    loops,
    buildings: streets.flat(),
    units,
  }
}
