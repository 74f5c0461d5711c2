import { weightedDeviation } from '@isotherm/kernel/statistics'
import { runBaseline, type Tuning } from './baseline.ts'
import { type CampaignSettings, createController, stepCampaign } from './campaign.ts'
import { generateScenario, HEALTHY, type SiteOrder } from './generated-site.ts'
import { movesPerValve, pumpOver, shareBelow18, spreadNow, unitRooms } from './measures.ts'
import { assumeFromTree, keepRecords } from './records.ts'
import { createSite, live } from './site.ts'

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S

/** Changes of a case to the standard network of 100 buildings. */
export const usual = (seed: number): SiteOrder => ({
  seed,
  stations: 1,
  buildings: 100,
  floorShare: 0,
  sick: HEALTHY,
  unknownCurves: undefined,
})

/** Design return of a floor relative to that of radiators: 39 and 40 °C. */
const FLOOR_OFFSET_K = -1

interface BeginOptions extends Pick<CampaignSettings, 'flows' | 'target'> {
  readonly pump?: CampaignSettings['pump']
  /** Known data of pipes, circuits and emitters: design records, or only the tree and the name plates of valves. */
  readonly records?: 'designed' | 'assumed'
}

/** A site after one simulated day, with its records and a controller. */
function begin(
  order: SiteOrder,
  { flows, target, pump = 'commanded', records: recordsOf = 'designed' }: BeginOptions,
) {
  const scenario = generateScenario(order)
  const site = createSite(scenario)
  const wrongAreas = new Map(
    scenario.faults.flatMap((fault) => (fault.kind === 'wrong-area' ? [[fault.target, fault.factor]] : [])),
  )
  const records =
    recordsOf === 'designed'
      ? keepRecords(site.spec, order.seed, wrongAreas)
      : assumeFromTree(site.spec, wrongAreas)
  const offsetK = Float64Array.from(site.spec.units, ({ emitters }) =>
    emitters === 'floor' ? FLOOR_OFFSET_K : 0,
  )
  live(site, DAY_S)
  return {
    scenario,
    site,
    records,
    offsetK,
    controller: createController(site, records, { flows, target, pump, offsetK }),
  }
}

export interface ReturnCase {
  readonly beforeK: number
  readonly oneStepK: number
  readonly afterTrimK: number
  readonly movesOneStep: number
  readonly moves: number
  /** Change of the pump's power at the flow before, and of the share of flats below 18 °C compared with an unchanged site, %. */
  readonly pumpPct: number
  readonly below18Pct: number
}

export interface CaseOptions extends Omit<BeginOptions, 'target'> {
  /** Settling time of water and emitters after a step. */
  readonly settleS: number
}

/** A first step, and a gated one a day (or one settling time) later. */
export function runReturnCase(order: SiteOrder, { settleS, ...manner }: CaseOptions): ReturnCase {
  const { site, offsetK, controller, scenario } = begin(order, { ...manner, target: 'return' })
  const beforeK = spreadNow(site, offsetK)
  const before = pumpOver(site)
  stepCampaign(controller, { windowS: DAY_S, gateK: 0 })
  live(site, settleS)
  const oneStepK = spreadNow(site, offsetK)
  const after = pumpOver(site)
  const movesOneStep = movesPerValve(site)
  live(site, DAY_S)
  stepCampaign(controller, { windowS: DAY_S, gateK: 0.4 })
  live(site, settleS)
  const alone = createSite(scenario)
  live(alone, site.plant.simTimeS - alone.plant.simTimeS)
  return {
    beforeK,
    oneStepK,
    movesOneStep,
    afterTrimK: spreadNow(site, offsetK),
    moves: movesPerValve(site),
    pumpPct: 100 * ((after.powerW / before.powerW) * (before.flowKgS / after.flowKgS) ** 3 - 1),
    below18Pct: 100 * (shareBelow18(site) - shareBelow18(alone)),
  }
}

export interface BaselineCase {
  readonly sixHoursK: number
  readonly sixDaysK: number
  readonly moves: number
}

export function runBaselineCase(order: SiteOrder, tuning: Tuning): BaselineCase {
  const { site, records, offsetK } = begin(order, { flows: 'metered', target: 'return' })
  runBaseline(site, records, tuning, Math.min(tuning.periodS, 6 * HOUR_S))
  const sixHoursK = spreadNow(site, offsetK)
  runBaseline(site, records, tuning, 6 * DAY_S - 6 * HOUR_S)
  return { sixHoursK, sixDaysK: spreadNow(site, offsetK), moves: movesPerValve(site) }
}

export interface RoomCase {
  readonly beforeK: number
  readonly afterK: number
  readonly moves: number
  readonly below18Pct: number
}

const ROOM_DAYS = 5

/** The room target with one sensor in each building; judged after five days, because walls are slow. */
export function runRoomCase(order: SiteOrder): RoomCase {
  const { site, controller, scenario } = begin(order, { flows: 'metered', target: 'room' })
  const beforeK = weightedDeviation(unitRooms(site)) ?? Number.NaN
  stepCampaign(controller, { windowS: DAY_S, gateK: 0 })
  live(site, ROOM_DAYS * DAY_S)
  const alone = createSite(scenario)
  live(alone, site.plant.simTimeS - alone.plant.simTimeS)
  return {
    beforeK,
    afterK: weightedDeviation(unitRooms(site)) ?? Number.NaN,
    moves: movesPerValve(site),
    below18Pct: 100 * (shareBelow18(site) - shareBelow18(alone)),
  }
}

export interface SickCase {
  readonly beforeK: number
  readonly healthyK: number
  /** Number of stuck valves, of stuck valves with a command, and of found ones. */
  readonly stuck: number
  readonly moved: number
  readonly found: number
  readonly accused: number
  readonly healthy: number
  readonly moves: number
}

/** Stuck valves, dead sensors and wrong areas: spread of the healthy units after a step and a trim that excludes the found faults. */
export function runSickCase(order: SiteOrder): SickCase {
  const { scenario, site, offsetK, controller } = begin(order, { flows: 'metered', target: 'return' })
  const sick = new Map(scenario.faults.map((fault) => [fault.target, fault.kind]))
  const kindOf = (unit: number) =>
    sick.get(site.spec.units[unit]?.valveSerial ?? '') ?? sick.get(site.spec.units[unit]?.key ?? '')
  const isHealthy = (unit: number): boolean => kindOf(unit) === undefined
  const beforeK = spreadNow(site, offsetK, isHealthy)
  stepCampaign(controller, { windowS: DAY_S, gateK: 0 })
  live(site, DAY_S)
  stepCampaign(controller, { windowS: DAY_S - 2 * HOUR_S, gateK: 0.4 })
  live(site, 6 * HOUR_S)
  const units = Array.from(site.units.keys())
  const stuck = units.filter((unit) => kindOf(unit) === 'stuck')
  const named = new Set([...controller.memory.broken, ...controller.memory.suspected])
  const moved = stuck.filter((unit) => controller.judged.some(({ consumer }) => consumer === unit))
  return {
    beforeK,
    healthyK: spreadNow(site, offsetK, isHealthy),
    moves: movesPerValve(site),
    stuck: stuck.length,
    moved: moved.length,
    found: stuck.filter((unit) => named.has(unit)).length,
    accused: [...named].filter((unit) => kindOf(unit) !== 'stuck').length,
    healthy: units.length - stuck.length,
  }
}
