import { type PipeSpec, SOURCE } from '@isotherm/hydraulics/tree-network'
import { celsius, type Metre, metre } from '@isotherm/kernel/quantities'
import { createRandom, type Random } from '@isotherm/kernel/random'
import { type AreaNames, buildingName, type StationNames } from './demo-names.ts'
import { concentratorImei, meterNumber } from './demo-numbers.ts'
import { drawUnit, UNITS_PER_BUILDING, type UnitDraft, type UnitPlace } from './demo-unit.ts'
import type { BuildingSpec, PipeHeat, StationSpec, UnitSpec } from './scenario.ts'
import { sizePipe, sizePump } from './sizing.ts'

/** Share of units that get less than their design flow with every valve at 80 %. */
const STARVED_SHARE = 0.35
const PUMP_SPEED = 0.9

/** Pipes of a station while it is being drawn. */
interface PipeDraft {
  readonly pipes: PipeSpec[]
  readonly heat: PipeHeat[]
}

function addPipe(draft: PipeDraft, parent: number, length: Metre, flowKgS: number, bends: number): number {
  const { wall, ...size } = sizePipe(flowKgS)
  draft.pipes.push({ parent, length, ...size, localLoss: bends, runs: 2 })
  draft.heat.push({ wall, lossWMK: 0.22 + size.innerDiameter })
  return draft.pipes.length - 1
}

const lengthBetween = (random: Random, from: number, to: number): Metre =>
  metre(from + (to - from) * random())

interface AreaDraft {
  readonly key: string
  readonly names: AreaNames
  readonly buildings: readonly (readonly UnitDraft[])[]
}

const flowOf = (units: readonly UnitDraft[]): number =>
  units.reduce((sum, unit) => sum + unit.designFlowKgS, 0)

/** Lays the street main, a branch to each building and the cellar pipe from unit to unit. */
function layArea(
  draft: PipeDraft,
  random: Random,
  area: AreaDraft,
  station: {
    readonly seed: number
    readonly number: number
    readonly firstBuilding: number
    readonly root: number
  },
): { readonly buildings: readonly BuildingSpec[]; readonly units: readonly UnitSpec[] } {
  const buildings: BuildingSpec[] = []
  const units: UnitSpec[] = []
  let street = station.root
  area.buildings.forEach((drafts, index) => {
    const beyond = flowOf(area.buildings.slice(index).flat())
    street = addPipe(draft, street, lengthBetween(random, 35, 65), beyond, 2)
    const inlet = addPipe(draft, street, lengthBetween(random, 12, 30), flowOf(drafts), 4)
    const number = station.firstBuilding + index
    const nodes: number[] = []
    let cellar = inlet
    drafts.forEach((unit, unitIndex) => {
      cellar = addPipe(draft, cellar, lengthBetween(random, 8, 16), flowOf(drafts.slice(unitIndex)), 3)
      nodes.push(units.length)
      units.push(unit.toSpec(cellar))
    })
    buildings.push({
      key: `b${number}`,
      name: buildingName(index + 1, area.names.numerals),
      area: area.key,
      meterSerial: `2222000${String(station.number).padStart(2, '0')}${String(number).padStart(3, '0')}00`,
      meterNo: meterNumber(station.seed, number),
      node: inlet,
      units: nodes,
    })
  })
  return { buildings, units }
}

function draftArea(
  random: Random,
  key: string,
  names: AreaNames,
  station: number,
  firstBuilding: number,
): AreaDraft {
  const buildings = Array.from({ length: names.buildings }, (_, index) =>
    Array.from({ length: UNITS_PER_BUILDING }, (__, unit): UnitDraft => {
      const place: UnitPlace = { station, building: firstBuilding + index, unit: unit + 1 }
      return drawUnit(random, place, index / Math.max(1, names.buildings - 1))
    }),
  )
  return { key, names, buildings }
}

/** One heat station of the demo with its pipes, buildings and pump. `firstBuilding` numbers buildings company-wide. */
export function drawStation(
  seed: number,
  number: number,
  names: StationNames,
  firstBuilding: number,
): StationSpec {
  const random = createRandom(seed + number)
  const key = `s${number}`
  const draft: PipeDraft = { pipes: [], heat: [] }
  const areas: AreaDraft[] = []
  let next = firstBuilding
  for (const [index, area] of names.areas.entries()) {
    areas.push(draftArea(random, `${key}a${index + 1}`, area, number, next))
    next += area.buildings
  }
  const total = flowOf(areas.flatMap((area) => area.buildings.flat()))
  // Exchanger, strainer and pipework of the station count as local losses of its outlet pipe.
  const root = addPipe(draft, SOURCE, metre(20), total, 60)
  const buildings: BuildingSpec[] = []
  const units: UnitSpec[] = []
  for (const area of areas) {
    const laid = layArea(draft, random, area, {
      seed,
      number,
      firstBuilding: firstBuilding + buildings.length,
      root,
    })
    const offset = units.length
    for (const building of laid.buildings) {
      buildings.push({ ...building, units: building.units.map((unit) => unit + offset) })
    }
    units.push(...laid.units)
  }
  const consumers = units.map((unit) => ({ ...unit, designFlowKgS: unit.designFlow }))
  return {
    key,
    name: names.name,
    concentratorSerial: `86400100000000${number}`,
    concentratorImei: concentratorImei(seed, number),
    stationSerial: `4444000${String(number).padStart(2, '0')}00000`,
    pump: sizePump(draft.pipes, consumers, STARVED_SHARE, PUMP_SPEED),
    pumpSpeed: PUMP_SPEED,
    curve: {
      room: celsius(20),
      designOutdoor: celsius(-10),
      designSupply: celsius(48),
      designReturn: celsius(39),
      exponent: 0.3,
    },
    pipes: draft.pipes,
    pipeHeat: draft.heat,
    buildings,
    units,
  }
}
