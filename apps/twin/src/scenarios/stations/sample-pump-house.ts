import { pumpThrough } from '@isotherm/hydraulics/elements/pump'
import { toM3H } from '@isotherm/hydraulics/elements/water'
import { type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree/tree-network'
import {
  flowCoefficient,
  kilogramPerSecond,
  metre,
  openingRatio,
  pascal,
  resistance,
} from '@isotherm/kernel/quantities'
import { createRandom, type Random } from '@isotherm/kernel/random'
import type { BuildingLayout, StationLayout, UnitLayout } from '../layouts/layout.ts'
import type { BuildingSpec, PipeHeat, StationSpec, UnitSpec, WateringSpec } from '../scenario.ts'
import { sizePipe } from './sizing.ts'

/** Flow of a valve's sprinklers at their pressure: 4 to 8 m³/h at 200 kPa. */
const MIN_KG_S = 1.1
const SPREAD_KG_S = 1.1
const SPRINKLER_PA = 200_000
/** The pump is sized for one and a half groups; its shut-off head is a third higher. */
const DUTY_GROUPS = 1.5
const DUTY_HEAD_PA = 320_000
const SHUT_OFF = 1.35
/** Precipitation rate of sprinklers, m/h; determines the watered area. */
const PRECIPITATION_M_H = 0.012
/** Water in the soil in spring, share of its volume: from half of the available water to all of it. */
const MIN_MOISTURE = 0.2
const SPREAD_MOISTURE = 0.1
/** Opening time of a diaphragm valve DN50: ten seconds. */
const VALVE = { kind: 'linear', kvs: flowCoefficient(40) } as const
const STROKE_S = 10

interface Draft {
  readonly pipes: PipeSpec[]
  readonly heat: PipeHeat[]
  readonly units: UnitSpec[]
}

/** A pipe without a return, to sprinklers. */
function addPipe(draft: Draft, parent: number, lengthM: number, flowKgS: number): number {
  const { wall, ...size } = sizePipe(flowKgS)
  draft.pipes.push({ parent, length: metre(lengthM), ...size, localLoss: 2, runs: 1 })
  draft.heat.push({ wall, lossWMK: 0 })
  return draft.pipes.length - 1
}

function addValve(draft: Draft, node: number, unit: UnitLayout, flowKgS: number): void {
  const { key, name, valveSerial, hasOwnLink } = unit
  draft.units.push({
    key,
    name,
    valveSerial,
    hasOwnLink,
    valve: VALVE,
    valveModel: 'DN50 Kvs40',
    measuresFlow: true,
    emitters: 'radiators',
    node,
    households: [],
    circuit: resistance(SPRINKLER_PA / flowKgS ** 2),
    designFlow: kilogramPerSecond(flowKgS),
    startOpening: openingRatio(0),
    strokeS: STROKE_S,
    backlash: openingRatio(0),
  })
}

/** The pipe of a group, with a branch to each of its valves. */
function layGroup(
  draft: Draft,
  random: Random,
  group: BuildingLayout,
  area: string,
  from: number,
): BuildingSpec {
  const flows = group.units.map(() => MIN_KG_S + SPREAD_KG_S * random())
  const first = draft.units.length
  let node = from
  const inlet = draft.pipes.length
  group.units.forEach((unit, index) => {
    const beyond = flows.slice(index).reduce((sum, flow) => sum + flow, 0)
    node = addPipe(draft, node, 25 + 15 * random(), beyond)
    addValve(draft, node, unit, flows[index] ?? MIN_KG_S)
  })
  const { key, name } = group
  return { key, name, area, meter: undefined, node: inlet, units: group.units.map((_, at) => first + at) }
}

/** Ground of the units; the first valve of each group has a soil probe. */
function sampleWatering(
  random: Random,
  { units }: Draft,
  groups: readonly BuildingSpec[],
): WateringSpec['places'] {
  const probed = new Set(groups.map((group) => group.units[0]))
  return units.map(({ designFlow }, unit) => ({
    areaM2: toM3H(designFlow) / PRECIPITATION_M_H,
    startMoisture: MIN_MOISTURE + SPREAD_MOISTURE * random(),
    hasProbe: probed.has(unit),
  }))
}

/** One pump house of an irrigated company with all valves shut. `number`, from 1, selects its random numbers. */
export function samplePumpHouse(
  seed: number,
  number: number,
  layout: StationLayout,
  watering: Omit<WateringSpec, 'places'>,
): StationSpec {
  const random = createRandom(seed + number)
  const draft: Draft = { pipes: [], heat: [], units: [] }
  const valves = Math.max(
    ...layout.areas.flatMap(({ buildings }) => buildings.map(({ units }) => units.length)),
  )
  const dutyKgS = DUTY_GROUPS * valves * (MIN_KG_S + SPREAD_KG_S / 2)
  let trunk = SOURCE
  const buildings = layout.areas.flatMap((area) => {
    trunk = addPipe(draft, trunk, 100 + 80 * random(), dutyKgS)
    const from = trunk
    return area.buildings.map((group) => layGroup(draft, random, group, area.key, from))
  })
  const { key, name, concentratorSerial, concentratorImei, stationSerial } = layout
  return {
    key,
    name,
    concentratorSerial,
    concentratorImei,
    stationSerial,
    pump: pumpThrough(pascal(SHUT_OFF * DUTY_HEAD_PA), pascal(DUTY_HEAD_PA), kilogramPerSecond(dutyKgS)),
    pumpSpeed: 1,
    heating: undefined,
    watering: { ...watering, places: sampleWatering(random, draft, buildings) },
    pipes: draft.pipes,
    pipeHeat: draft.heat,
    loops: [],
    buildings,
    units: draft.units,
  }
}
