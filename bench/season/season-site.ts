import type { HeatDay } from '@isotherm/balancing/savings/heat-baseline'
import { celsius, kilowattHour } from '@isotherm/kernel/quantities'
import { WATER } from '../foreign/physics/water.ts'
import type { Weather } from '../foreign/physics/weather.ts'
import { createInstruments, rowsOf, stationSignals } from '../foreign/plant/instruments.ts'
import { startPlant } from '../foreign/plant/plant.ts'
import type { PlantSpec } from '../foreign/plant/plant-spec.ts'
import type { Site } from '../foreign/plant/site.ts'
import type { TrueState } from '../foreign/plant/truths.ts'
import { createPeople, openWindows } from './people.ts'
import { addStep, createTally, type Tally } from './tally.ts'
import { noFaults, type Wear } from './wear.ts'

export const DAY_S = 86_400
/** The first day has readings only; then the season counts. */
export const FIRST_S = 1 * DAY_S
export const DAYS = 120
export const END_S = FIRST_S + DAYS * DAY_S
/** Readings that plans may still need, and true states: older ones are dropped. */
const READ_S = 16 * DAY_S
const TRUE_S = DAY_S

const NOTHING = new Float64Array(0)
const NO_STATE: TrueState = { returnC: NOTHING, roomC: NOTHING, cold: 0 }

/** A site in a season: what it used, and what its station meter showed, by day. */
export interface SeasonSite {
  readonly site: Site
  readonly tally: Tally
  readonly shownDays: () => readonly HeatDay[]
}

interface ShownDay {
  heatKwh: number
  outdoorC: number
  steps: number
}

/** Adds what the station's instruments showed after a step. */
function addShown(days: ShownDay[], { plant, instruments, shown }: Site): void {
  const { stepS } = plant.weather
  const past = plant.timeS - FIRST_S - stepS
  const rows = shown.at(-1)
  if (past < 0 || plant.timeS > END_S || !rows) return
  const from = rowsOf(instruments) - stationSignals.length
  const read = (name: (typeof stationSignals)[number]): number =>
    rows[from + stationSignals.indexOf(name)] ?? Number.NaN
  const at = Math.floor(past / DAY_S)
  const day = days[at] ?? { heatKwh: 0, outdoorC: 0, steps: 0 }
  const massKgS = (read('heat.flow') * WATER.densityKgM3) / 3600
  day.heatKwh += (massKgS * WATER.heatJKgK * (read('temp.supply') - read('temp.return')) * stepS) / 3.6e6
  day.outdoorC += read('temp.outdoor')
  day.steps += 1
  days[at] = day
}

/** A plant at rest with its people and wear, before its first day. */
export function startSeason(
  spec: PlantSpec,
  weather: Weather,
  shiftK: number,
  drawWear?: (site: Site) => Wear,
): SeasonSite {
  const own = { ...spec, flats: { ...spec.flats, airingWK: spec.flats.airingWK.slice() } }
  const plant = startPlant(own, weather, shiftK)
  const faults = noFaults()
  const people = createPeople(plant)
  const tally = createTally(FIRST_S, END_S)
  const days: ShownDay[] = []
  const [readSteps, trueSteps] = [READ_S / weather.stepS, TRUE_S / weather.stepS]
  let next = 0
  const onStep = (current: Site): void => {
    const { shown, truth } = current
    addStep(tally, plant)
    addShown(days, current)
    openWindows(people, plant)
    for (let event = wear[next]; event && event.atS <= plant.timeS - FIRST_S; event = wear[++next])
      event.apply(current, faults)
    if (shown.length > readSteps) shown[shown.length - 1 - readSteps] = NOTHING
    if (truth.length > trueSteps) truth[truth.length - 1 - trueSteps] = NO_STATE
  }
  const site: Site = {
    plant,
    instruments: createInstruments(plant, faults),
    shown: [],
    truth: [],
    moves: 0,
    answers: plant.motors.map(() => []),
    onStep,
  }
  const wear = drawWear?.(site) ?? []
  const shownDays = (): readonly HeatDay[] =>
    days.map(({ heatKwh, outdoorC, steps }) => ({
      outdoorC: celsius(outdoorC / steps),
      heatKwh: kilowattHour(heatKwh),
    }))
  return { site, tally, shownDays }
}
