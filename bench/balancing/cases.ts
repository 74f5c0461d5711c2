import { weightedDeviation } from '@isotherm/kernel/statistics'
import { runBaseline, type Tuning } from './baseline.ts'
import { type CampaignSettings, createController, stepCampaign } from './campaign.ts'
import { generateScenario, HEALTHY, type SiteSettings } from './generate-scenario.ts'
import { measurePump, measureSpread, movesPerValve, shareBelow18, unitRooms } from './measures.ts'
import { assumeFromTree, toDesignRecords } from './records.ts'
import { advance, createSite } from './site.ts'

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S

/** The standard site: 100 buildings behind one station, without faults. A case overrides single settings. */
export const createStandardSettings = (seed: number): SiteSettings => ({
  seed,
  stations: 1,
  buildings: 100,
  floorShare: 0,
  faulty: HEALTHY,
  unknownCurves: undefined,
})

/** Design return temperature of floor heating (39 °C) relative to that of radiators (40 °C). */
const FLOOR_OFFSET_K = -1

interface StartOptions extends Pick<CampaignSettings, 'flows' | 'target'> {
  readonly pump?: CampaignSettings['pump']
  /** What is known of pipes, circuits and emitters: design records, or assumptions from the tree and valve name plates. */
  readonly records?: 'designed' | 'assumed'
}

/** Creates a site, runs it for one simulated day and adds records and a controller. */
function startCase(
  siteSettings: SiteSettings,
  { flows, target, pump = 'commanded', records: recordsOf = 'designed' }: StartOptions,
) {
  const scenario = generateScenario(siteSettings)
  const site = createSite(scenario)
  const wrongAreas = new Map(
    scenario.faults.flatMap((fault) => (fault.kind === 'wrong-area' ? [[fault.target, fault.factor]] : [])),
  )
  const records =
    recordsOf === 'designed'
      ? toDesignRecords(site.spec, siteSettings.seed, wrongAreas)
      : assumeFromTree(site.spec, wrongAreas)
  const offsetK = Float64Array.from(site.spec.units, ({ emitters }) =>
    emitters === 'floor' ? FLOOR_OFFSET_K : 0,
  )
  advance(site, DAY_S)
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
  /** After the trim, and at the same instant without it. */
  readonly afterTrimK: number
  readonly untrimmedK: number
  /** Six days after the start, when the proportional loop is measured. */
  readonly sixDaysK: number
  readonly movesOneStep: number
  readonly moves: number
  /** Change of the pump's power, converted to the flow before the step, %. */
  readonly pumpPct: number
  /** Change of the share of flats below 18 °C, compared with an unchanged site, percentage points. */
  readonly below18Pct: number
}

export interface CaseOptions extends Omit<StartOptions, 'target'> {
  /** Settling time of water and emitters after a step, s. */
  readonly settleS: number
}

/** The trim begins this long before it is measured, in addition to its settling time: its waves and its judgement. */
const TRIM_S = 2 * HOUR_S

/**
 * Runs a step without a gate and a trim: a step in which small deviations do not move a valve. The spread grows with the
 * heat load, so the trim is measured whole days after the step, and beside a site that was not trimmed.
 */
export function runReturnCase(siteSettings: SiteSettings, { settleS, ...settings }: CaseOptions): ReturnCase {
  const runStep = () => {
    const started = startCase(siteSettings, { ...settings, target: 'return' })
    const { site, offsetK, controller } = started
    const [startS, beforeK, before] = [site.plant.simTimeS, measureSpread(site, offsetK), measurePump(site)]
    stepCampaign(controller, { windowS: DAY_S, gateK: 0 })
    advance(site, settleS)
    return { ...started, startS, beforeK, before }
  }
  const { site, offsetK, controller, scenario, startS, beforeK, before } = runStep()
  const oneStepK = measureSpread(site, offsetK)
  const after = measurePump(site)
  const movesOneStep = movesPerValve(site)
  const days = Math.ceil((DAY_S + TRIM_S + settleS) / DAY_S)
  const trimmedS = site.plant.simTimeS + days * DAY_S
  const advanceTo = (one: typeof site, timeS: number): void => advance(one, timeS - one.plant.simTimeS)
  advanceTo(site, trimmedS - TRIM_S - settleS)
  stepCampaign(controller, { windowS: DAY_S, gateK: 0.4 })
  advanceTo(site, trimmedS)
  const afterTrimK = measureSpread(site, offsetK)
  const alone = createSite(scenario)
  advanceTo(alone, trimmedS)
  const below18Pct = 100 * (shareBelow18(site) - shareBelow18(alone))
  const untrimmed = runStep().site
  advanceTo(untrimmed, trimmedS)
  advanceTo(site, startS + 6 * DAY_S)
  return {
    beforeK,
    oneStepK,
    movesOneStep,
    afterTrimK,
    untrimmedK: measureSpread(untrimmed, offsetK),
    sixDaysK: measureSpread(site, offsetK),
    moves: movesPerValve(site),
    pumpPct: 100 * ((after.powerW / before.powerW) * (before.flowKgS / after.flowKgS) ** 3 - 1),
    below18Pct,
  }
}

export interface BaselineCase {
  readonly sixHoursK: number
  readonly sixDaysK: number
  readonly moves: number
}

export function runBaselineCase(siteSettings: SiteSettings, tuning: Tuning): BaselineCase {
  const { site, records, offsetK } = startCase(siteSettings, { flows: 'metered', target: 'return' })
  runBaseline(site, records, tuning, Math.min(tuning.periodS, 6 * HOUR_S))
  const sixHoursK = measureSpread(site, offsetK)
  runBaseline(site, records, tuning, 6 * DAY_S - 6 * HOUR_S)
  return { sixHoursK, sixDaysK: measureSpread(site, offsetK), moves: movesPerValve(site) }
}

export interface RoomCase {
  readonly beforeK: number
  readonly afterK: number
  readonly moves: number
  readonly below18Pct: number
}

const ROOM_DAYS = 5

/** Balances by room temperature, with one sensor in each building. Judged after five days, because walls are slow. */
export function runRoomCase(siteSettings: SiteSettings): RoomCase {
  const { site, controller, scenario } = startCase(siteSettings, { flows: 'metered', target: 'room' })
  const beforeK = weightedDeviation(unitRooms(site)) ?? Number.NaN
  stepCampaign(controller, { windowS: DAY_S, gateK: 0 })
  advance(site, ROOM_DAYS * DAY_S)
  const alone = createSite(scenario)
  advance(alone, site.plant.simTimeS - alone.plant.simTimeS)
  return {
    beforeK,
    afterK: weightedDeviation(unitRooms(site)) ?? Number.NaN,
    moves: movesPerValve(site),
    below18Pct: 100 * (shareBelow18(site) - shareBelow18(alone)),
  }
}

export interface FaultyCase {
  readonly beforeK: number
  readonly healthyK: number
  /** Number of stuck valves, of those with a command (`moved`), and of those found. `accused`: wrongly reported valves. */
  readonly stuck: number
  readonly moved: number
  readonly found: number
  readonly accused: number
  readonly healthy: number
  readonly moves: number
}

/** Balances a site with stuck valves, dead sensors and wrong areas. The trim excludes the faults that the step found. */
export function runFaultyCase(siteSettings: SiteSettings): FaultyCase {
  const { scenario, site, offsetK, controller } = startCase(siteSettings, {
    flows: 'metered',
    target: 'return',
  })
  const faultByTarget = new Map(scenario.faults.map((fault) => [fault.target, fault.kind]))
  const kindOf = (unit: number) =>
    faultByTarget.get(site.spec.units[unit]?.valveSerial ?? '') ??
    faultByTarget.get(site.spec.units[unit]?.key ?? '')
  const isHealthy = (unit: number): boolean => kindOf(unit) === undefined
  const beforeK = measureSpread(site, offsetK, isHealthy)
  stepCampaign(controller, { windowS: DAY_S, gateK: 0 })
  advance(site, DAY_S)
  stepCampaign(controller, { windowS: DAY_S - 2 * HOUR_S, gateK: 0.4 })
  advance(site, 6 * HOUR_S)
  const units = Array.from(site.units.keys())
  const stuck = units.filter((unit) => kindOf(unit) === 'stuck')
  const named = new Set([...controller.memory.broken, ...controller.memory.suspected])
  const moved = stuck.filter((unit) => controller.judged.some(({ consumer }) => consumer === unit))
  return {
    beforeK,
    healthyK: measureSpread(site, offsetK, isHealthy),
    moves: movesPerValve(site),
    stuck: stuck.length,
    moved: moved.length,
    found: stuck.filter((unit) => named.has(unit)).length,
    accused: [...named].filter((unit) => kindOf(unit) !== 'stuck').length,
    healthy: units.length - stuck.length,
  }
}
