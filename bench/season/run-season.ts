import { fitBaseline } from '@isotherm/balancing/savings/heat-baseline'
import { findSaving, type HeatSaving } from '@isotherm/balancing/savings/heat-saving'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { createForeignPlanner } from '../foreign/drive/controller.ts'
import { runIndustryLoop } from '../foreign/drive/industry-loop.ts'
import { generatePlant } from '../foreign/plant/generate-plant.ts'
import type { PlantSpec } from '../foreign/plant/plant-spec.ts'
import { live, liveUntil, type Site } from '../foreign/plant/site.ts'
import { type BalanceStrategy, createStrategy, tickStrategy } from './balance-strategy.ts'
import { comfortOf } from './equal-comfort.ts'
import { DAYS, END_S, FIRST_S, type SeasonSite, startSeason } from './season-site.ts'
import { createWinter } from './season-weather.ts'
import { balanceRules, headRules, OPERATOR_COMFORT_C, supplyRules } from './strategies.ts'
import { createSupplyStrategy, SUPPLY_EVERY_S, type SupplyStrategy, stepSupply } from './supply-strategy.ts'
import type { Tally } from './tally.ts'
import { drawWear } from './wear.ts'

const STEP_S = 600
/** 100 buildings. */
const STREETS = [24, 22, 20, 18, 16] as const
/** Added to the seed for the weather of the winter before, so that the two winters differ. */
const BEFORE_SEED = 500
/** Difference between the supply temperatures of a pair of seasons, K. */
export const APART_K = 3
/** How long the server caches an identified time constant, ms. */
const CACHE_MS = 6 * HOUR_MS

/** Result of a season under one way of control. */
export interface SeasonRun {
  readonly tally: Tally
  readonly moves: number
}

/** The runs of a seed, all in the same weather. Pairs have two supply temperatures. */
export interface SeasonResult {
  readonly seed: number
  /** Shift of the heating curve that the operator found in the winter before, K; the first of each pair has it. */
  readonly shiftK: number
  readonly alone: readonly [SeasonRun, SeasonRun]
  readonly industry: readonly [SeasonRun, SeasonRun]
  readonly ours: SeasonRun & {
    readonly balance: BalanceStrategy
    readonly supply: SupplyStrategy
    /** Shift of the heating curve and head at the end, K and kPa. */
    readonly endShiftK: number
    readonly endHeadKpa: number
  }
  /** Saving that the product computes from the station's readings; undefined if it refuses. */
  readonly reported: HeatSaving | undefined
}

const toRun = ({ tally, site }: SeasonSite): SeasonRun => ({ tally, moves: site.moves })

/** Isotherm's strategies on a site until the end of the season, without any action of a user. */
async function runStrategies({ site }: SeasonSite, shiftK: number) {
  const { plant } = site
  const planner = createForeignPlanner(
    site,
    {},
    {
      maySetPump: true,
      cacheMs: CACHE_MS,
    },
  )
  const balance = createStrategy(balanceRules, FIRST_S)
  const supply = createSupplyStrategy(supplyRules, headRules, {
    originalK: shiftK,
    originalKpa: (plant.holdPa ?? plant.flows.headPa) / 1000,
  })
  let supplyS = FIRST_S
  live(site, FIRST_S)
  while (plant.timeS < END_S) {
    if (plant.timeS >= balance.nextS) await tickStrategy(balance, site, planner)
    if (plant.timeS >= supplyS) {
      stepSupply(supply, site, planner)
      supplyS = plant.timeS + SUPPLY_EVERY_S
    }
    const next = Math.max(plant.timeS + STEP_S, Math.min(END_S, balance.nextS, supplyS))
    liveUntil(site, next)
  }
  return { balance, supply }
}

/** The shift at which the left-alone plant had the operator's comfort in the winter before, K, and its heat then. */
function runWinterBefore(spec: PlantSpec, seed: number) {
  const weather = createWinter(seed + BEFORE_SEED, STEP_S, DAYS + 2)
  const runWith = (shiftK: number): SeasonSite => {
    const season = startSeason(spec, weather, shiftK)
    liveUntil(season.site, END_S)
    return season
  }
  const [low, high] = [comfortOf(runWith(0).tally), comfortOf(runWith(APART_K).tally)]
  const shiftK = Math.round((APART_K * (OPERATOR_COMFORT_C - low)) / (high - low))
  return { shiftK, baseline: fitBaseline(runWith(shiftK).shownDays()) }
}

/** Runs the seasons of a seed. */
export async function runSeason(seed: number): Promise<SeasonResult> {
  const spec = generatePlant({ seed, streets: STREETS, pump: 'constant-head' })
  const { shiftK, baseline } = runWinterBefore(spec, seed)
  const winter = createWinter(seed, STEP_S, DAYS + 2)
  const buildings = spec.buildings.length
  const start = (ownShiftK: number): SeasonSite =>
    startSeason(spec, winter, ownShiftK, ({ instruments }: Site) =>
      drawWear(seed, { buildings, sensors: instruments.sensorFlats.length, days: DAYS }),
    )
  const runAlone = (ownShiftK: number): SeasonRun => {
    const season = start(ownShiftK)
    liveUntil(season.site, END_S)
    return toRun(season)
  }
  const runIndustry = (ownShiftK: number): SeasonRun => {
    const season = start(ownShiftK)
    live(season.site, FIRST_S)
    runIndustryLoop(season.site, END_S)
    return toRun(season)
  }
  const ours = start(shiftK)
  const strategies = await runStrategies(ours, shiftK)
  const reported = baseline.kind === 'fitted' ? findSaving(baseline, ours.shownDays(), seed) : undefined
  return {
    seed,
    shiftK,
    alone: [runAlone(shiftK), runAlone(shiftK + APART_K)],
    industry: [runIndustry(shiftK), runIndustry(shiftK - APART_K)],
    ours: {
      ...toRun(ours),
      ...strategies,
      endShiftK: ours.site.plant.supplyShiftK,
      endHeadKpa: (ours.site.plant.holdPa ?? Number.NaN) / 1000,
    },
    reported: reported?.kind === 'known' ? reported : undefined,
  }
}
