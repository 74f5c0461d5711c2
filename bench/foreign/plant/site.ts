import { type Direction, judgeDirection, type OpeningAnswer } from '@isotherm/balancing/moves/judge-direction'
import { OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import {
  createInstruments,
  type InstrumentFaults,
  type Instruments,
  readInstruments,
  toReportedPct,
} from './instruments.ts'
import { copyPlant, moveMotor, type Plant, setHead, stepPlant } from './plant.ts'
import { meanTruth, type TrueState, type Truth, trueState } from './truths.ts'

/** A plant with its instruments, and what was shown and what was true after each step so far. */
export interface Site {
  readonly plant: Plant
  readonly instruments: Instruments
  /** Readings of all instruments, one array of rows for each step. */
  readonly shown: Float64Array[]
  readonly truth: TrueState[]
  /** Commands that changed an opening. */
  moves: number
  /** Answers of each valve to its commands, in the order of time. */
  readonly answers: readonly OpeningAnswer[][]
  /** Called after every step. */
  readonly onStep?: ((site: Site) => void) | undefined
}

export const createSite = (plant: Plant, faults: InstrumentFaults): Site => ({
  plant,
  instruments: createInstruments(plant, faults),
  shown: [],
  truth: [],
  moves: 0,
  answers: plant.motors.map(() => []),
})

/** A copy that continues on its own. */
export const copySite = ({ plant, instruments, shown, truth, moves, answers, onStep }: Site): Site => ({
  plant: copyPlant(plant),
  instruments,
  shown: [...shown],
  truth: [...truth],
  moves,
  answers: answers.map((given) => [...given]),
  onStep,
})

/** Runs a plant for a time and reads all instruments after each step. */
export function live(site: Site, durationS: number): void {
  const { plant, instruments, shown, truth, onStep } = site
  const steps = Math.round(durationS / plant.weather.stepS)
  for (let step = 0; step < steps; step++) {
    stepPlant(plant)
    shown.push(readInstruments(instruments, plant, shown.length))
    truth.push(trueState(plant))
    onStep?.(site)
  }
}

/** Runs a plant up to an instant, s since its start; nothing if that has passed. */
export const liveUntil = (site: Site, timeS: number): void =>
  live(site, Math.max(0, timeS - site.plant.timeS))

/** Runs a plant up to an instant without readings: nothing is planned from then on. */
export function coastUntil(site: Site, timeS: number): void {
  const { plant, truth, onStep } = site
  while (plant.timeS < timeS - 1) {
    stepPlant(plant)
    truth.push(trueState(plant))
    onStep?.(site)
  }
}

/** Mean truth of the `spanS` seconds that end at an instant, s since the start; spreads without some buildings. */
export function truthBefore(
  { plant, truth }: Site,
  timeS: number,
  spanS: number,
  without?: ReadonlySet<number>,
): Truth {
  const { stepS } = plant.weather
  const end = Math.round(timeS / stepS)
  return meanTruth(plant, truth.slice(Math.max(0, end - Math.round(spanS / stepS)), end), without)
}

/** Reported opening of a valve, %. An offline valve has reported its opening before. */
export function reportedPct({ plant, instruments }: Site, building: number): number {
  return toReportedPct(instruments.faults, plant.motors[building], building)
}

/** Sends an opening in % to a valve. Returns whether a reading confirms it, as the server judges readings. */
export function command(site: Site, building: number, openingPct: number): boolean {
  if (site.instruments.faults.offline.has(building)) return false
  const beforePct = reportedPct(site, building)
  if (beforePct !== openingPct) site.moves += 1
  const isInverted = site.instruments.faults.invertedDrives.has(building)
  moveMotor(site.plant, building, (isInverted ? 100 - openingPct : openingPct) / 100)
  const shownPct = reportedPct(site, building)
  site.answers[building]?.push({ orderedPct: openingPct, beforePct, reportedPct: shownPct })
  return Math.abs(shownPct - openingPct) <= OPENING_TOLERANCE_PCT
}

/** Direction of each valve by its answers, as the server judges them. */
export const listDirections = ({ answers }: Pick<Site, 'answers'>): Direction[] =>
  answers.map((given) => judgeDirection(given, OPENING_TOLERANCE_PCT))

export const commandHead = ({ plant }: Site, headKpa: number): void => setHead(plant, 1000 * headKpa)
