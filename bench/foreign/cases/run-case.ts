import type { BalanceMode } from '@isotherm/contract/balancing/campaign'
import { type DoneRound, executeRound, orRefused, type RefusedRound, rollBack } from '../drive/campaign.ts'
import { createForeignPlanner, type ForeignPlanner } from '../drive/controller.ts'
import { runIndustryLoop } from '../drive/industry-loop.ts'
import { runProportionalStrategy } from '../drive/proportional-strategy.ts'
import { createWeather } from '../physics/weather.ts'
import { generatePlant } from '../plant/generate-plant.ts'
import { blockMotors, copyPlant, type Plant, startPlant } from '../plant/plant.ts'
import {
  coastUntil,
  copySite,
  createSite,
  listDirections,
  live,
  liveUntil,
  type Site,
  truthBefore,
} from '../plant/site.ts'
import type { Truth } from '../plant/truths.ts'
import { type ForeignCase, TRIM_HOURS, USUAL_RETURN_HOURS, USUAL_ROOM_HOURS } from './case-list.ts'
import { drawFaults } from './draw-faults.ts'

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
const STEP_S = 600
/** A day of readings, then six days after the first plan. */
export const PLANNED_S = DAY_S
export const END_S = 7 * DAY_S
/** The cold front comes two and a half days after the first plan. */
const FRONT_S = PLANNED_S + 60 * HOUR_S
/** Time in which a person takes an aborted round back, and in which the plant then comes to rest. */
const REACTION_S = HOUR_S
const REST_S = 4 * HOUR_S
const ATTEMPTS = 2
/** Truth is averaged over two hours; days later at the same hour, so that weather and hour compare. */
const SPAN_S = 2 * HOUR_S

export type Target = 'return' | 'room'
/** When trims are pressed: never, once after some hours, or at all hours. */
export type TrimTime = 'none' | 'series' | number

/** A campaign on a plant until the end of the run. */
export interface RunResult {
  readonly isMetered: boolean
  readonly target: Target
  readonly trim: TrimTime
  /** All rounds, aborted ones too, or the refusal of the first. */
  readonly rounds: readonly DoneRound[]
  readonly refusal: RefusedRound | undefined
  /** Truth before the first plan, a day after it (undefined after an earlier trim), a day after the trim, and at the end. */
  readonly before: Truth
  readonly oneStep: Truth | undefined
  readonly afterTrim: Truth | undefined
  readonly end: Truth
  readonly moves: number
  /** Buildings whose valves are called inverted at the end. */
  readonly calledInverted: readonly number[]
  /** The most flats below 18 °C beyond the same plant left alone: in the day after the last round, or in the last day. */
  readonly colder: number
}

/** Everything of a case and a seed. */
export interface CaseResult {
  readonly foreign: ForeignCase
  readonly seed: number
  readonly blocked: ReadonlySet<number>
  /** Valves that report 100 − p for an order p. */
  readonly inverted: ReadonlySet<number>
  readonly runs: readonly RunResult[]
  readonly alone: Truth
  readonly industry: { readonly end: Truth; readonly after30H: Truth; readonly moves: number }
  readonly strategy: { readonly end: Truth; readonly moves: number } | undefined
}

const modeOf = (target: Target): BalanceMode => ({ kind: 'temperature', target })

/** Plants at rest are computed once for all cases with the same streets, valves and emitters. */
export function createPlants(): (seed: number, foreign: ForeignCase) => Plant {
  const cache = new Map<string, Plant>()
  return (seed, { plant: changes = {} }) => {
    const key = JSON.stringify([seed, changes])
    const found = cache.get(key)
    if (found) return found
    const weather = createWeather(seed, STEP_S, END_S / STEP_S, FRONT_S)
    const plant = startPlant(generatePlant({ seed, ...changes }), weather)
    cache.set(key, plant)
    return plant
  }
}

const firstWindow = (endedS: number): number => Math.min(END_S, endedS + DAY_S)

/** The most flats below 18 °C beyond the plant left alone. */
function colderThan(alone: Site, site: Site, endedS: number): number {
  const excessAt = (timeS: number): number =>
    Math.round(truthBefore(site, timeS, DAY_S).cold) - Math.round(truthBefore(alone, timeS, DAY_S).cold)
  return Math.max(excessAt(firstWindow(endedS)), excessAt(END_S))
}

interface Campaign {
  readonly site: Site
  readonly planner: ForeignPlanner
  readonly rounds: readonly DoneRound[]
  readonly refusal: RefusedRound | undefined
}

/** The first round, and a second attempt after an aborted one. */
async function startCampaign(
  site: Site,
  create: (site: Site) => ForeignPlanner,
  target: Target,
): Promise<Campaign> {
  const planner = create(site)
  const mode = modeOf(target)
  const rounds: DoneRound[] = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const plan = await orRefused(planner.plan(mode, rounds))
    if ('code' in plan) return { site, planner, rounds, refusal: plan }
    const done = await executeRound(site, planner, mode, plan)
    rounds.push(done)
    if (done.kind === 'verified') break
    live(site, REACTION_S)
    rollBack(site, done)
    live(site, REST_S)
  }
  return { site, planner, rounds, refusal: undefined }
}

/** Continues a campaign with trims at some hours after its last wave, and runs to the end. */
async function finish(
  { site, rounds: done, refusal }: Omit<Campaign, 'planner'>,
  planner: ForeignPlanner,
  hours: readonly number[],
  target: Target,
): Promise<{ readonly rounds: readonly DoneRound[]; readonly refusal: RefusedRound | undefined }> {
  const rounds = [...done]
  const first = done.at(-1)
  for (const hour of hours) {
    const last = rounds.at(-1)
    if (!first || last?.kind !== 'verified') break
    liveUntil(site, first.endedS + hour * HOUR_S)
    const trim = await orRefused(planner.trim(modeOf(target), rounds, last.verification?.memory))
    if ('code' in trim || trim.steps.length === 0) continue
    const round = await executeRound(site, planner, modeOf(target), trim)
    rounds.push(round)
    if (round.kind === 'verified') continue
    live(site, REACTION_S)
    rollBack(site, round)
  }
  coastUntil(site, END_S)
  return { rounds, refusal }
}

/** All runs of one target, branched from the same first round. */
async function runTarget(
  started: Site,
  alone: Site,
  create: (site: Site) => ForeignPlanner,
  {
    foreign,
    isMetered,
    target,
  }: { readonly foreign: ForeignCase; readonly isMetered: boolean; readonly target: Target },
): Promise<RunResult[]> {
  const before = truthBefore(started, PLANNED_S, SPAN_S)
  const campaign = await startCampaign(copySite(started), create, target)
  const usual = target === 'return' ? USUAL_RETURN_HOURS : USUAL_ROOM_HOURS
  const isVerified = campaign.rounds.at(-1)?.kind === 'verified'
  const single = foreign.allHours ? TRIM_HOURS : usual
  const times: TrimTime[] = isVerified
    ? ['none', ...single, ...(foreign.allHours ? ['series' as const] : [])]
    : ['none']
  const results: RunResult[] = []
  for (const trim of times) {
    const site = copySite(campaign.site)
    const hours = trim === 'none' ? [] : trim === 'series' ? TRIM_HOURS : [trim]
    const { rounds, refusal } = await finish({ ...campaign, site }, create(site), hours, target)
    const last = rounds.at(-1)
    const trimmedS = rounds.length > campaign.rounds.length ? last?.endedS : undefined
    const isEarly =
      trimmedS !== undefined && (rounds[campaign.rounds.length]?.endedS ?? 0) < PLANNED_S + DAY_S
    results.push({
      isMetered,
      target,
      trim,
      rounds,
      refusal,
      before,
      oneStep: isEarly ? undefined : truthBefore(site, PLANNED_S + DAY_S, SPAN_S),
      afterTrim: trimmedS === undefined ? undefined : truthBefore(site, firstWindow(trimmedS), SPAN_S),
      end: truthBefore(site, END_S, SPAN_S),
      moves: site.moves / site.plant.spec.buildings.length,
      calledInverted: listDirections(site).flatMap((direction, b) => (direction === 'inverted' ? b : [])),
      colder: colderThan(alone, site, last?.endedS ?? PLANNED_S),
    })
  }
  return results
}

/** Runs a case: with and without meters, both targets, and beside them left alone and the loops of others. */
export async function runCase(
  foreign: ForeignCase,
  seed: number,
  plantOf: ReturnType<typeof createPlants>,
): Promise<CaseResult> {
  const rest = plantOf(seed, foreign)
  const count = rest.spec.buildings.length
  const runs: RunResult[] = []
  const startWith = (isMetered: boolean) => {
    const faults = drawFaults(seed, count, foreign.faults ?? {}, isMetered)
    const plant = copyPlant(rest)
    blockMotors(plant, faults.blocked)
    const site = createSite(plant, faults.instruments)
    live(site, PLANNED_S)
    return { site, ...faults }
  }
  const { site: metered, blocked, inverted } = startWith(true)
  const alone = copySite(metered)
  coastUntil(alone, END_S)
  const create = (site: Site): ForeignPlanner => createForeignPlanner(site, foreign.records ?? {}, foreign)
  for (const isMetered of foreign.onlyMetered ? [true] : [true, false]) {
    const started = isMetered ? metered : startWith(false).site
    for (const target of ['return', 'room'] as const)
      runs.push(...(await runTarget(started, alone, create, { foreign, isMetered, target })))
  }
  const industry = copySite(metered)
  runIndustryLoop(industry, END_S)
  const strategy = foreign.withStrategy ? copySite(metered) : undefined
  if (strategy) await runProportionalStrategy(strategy, create(strategy), END_S)
  const endOf = (site: Site) => ({ end: truthBefore(site, END_S, SPAN_S), moves: site.moves / count })
  return {
    foreign,
    seed,
    blocked,
    inverted,
    runs,
    alone: truthBefore(alone, END_S, SPAN_S),
    industry: { ...endOf(industry), after30H: truthBefore(industry, PLANNED_S + 30 * HOUR_S, SPAN_S) },
    strategy: strategy && endOf(strategy),
  }
}
