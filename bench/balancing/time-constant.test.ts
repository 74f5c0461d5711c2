import { identifyTimeConstant, type RoomHistory } from '@isotherm/balancing/rooms/time-constant'
import { preheatTime } from '@isotherm/balancing/rooms/time-slots'
import { weightedMean } from '@isotherm/kernel/statistics'
import { computeDecay, stepBuilding, timeConstants } from '@isotherm/thermal/households/building'
import type { HouseholdSpec } from '@isotherm/thermal/households/households'
import { expect, test } from 'vitest'
import { generateScenario, HEALTHY } from './generate-scenario.ts'
import { advance, command, createSite, type Reading, type Site } from './site.ts'

const HOUR_S = 3600
const DAYS = 10
const BUILDINGS = 4
const READINGS_AN_HOUR = 4
const SEEDS = [1, 2, 3] as const
/** Heat stored in walls relative to the twin's usual masonry. */
const WEIGHTS = { heavy: 1, light: 0.25 } as const
/** Openings of valves at night. */
interface Night {
  readonly from: number
  readonly to: number
  readonly opening: number
}
/** The usual night setback: six hours from six in the evening. */
const NIGHT: Night = { from: 18, to: 24, opening: 0.12 }
/** Usual night setbacks of dwellings. The first starts late in the evening, when heat of occupants warms the rooms. */
const NIGHTS: readonly Night[] = [
  { from: 22, to: 5, opening: 0.12 },
  { from: 22, to: 5, opening: 0.4 },
  { from: 23, to: 5, opening: 0.25 },
]

const mean = (values: ArrayLike<number>): number => weightedMean(values) ?? Number.NaN

function build(seed: number, weight: number, floorShare = 0): Site {
  const siteSettings = { seed, stations: 1, buildings: BUILDINGS, floorShare, faulty: HEALTHY }
  const scenario = generateScenario({ ...siteSettings, unknownCurves: undefined })
  const stations = scenario.stations.map((station) => ({
    ...station,
    units: station.units.map((unit) => ({
      ...unit,
      households: unit.households.map((flat) => ({
        ...flat,
        building: { ...flat.building, massCapacity: weight * flat.building.massCapacity },
      })),
    })),
  }))
  return createSite({ ...scenario, stations })
}

/** True time constant of the twin's flats (walls and air), s. */
const trueTimeConstant = ({ spec }: Site): number =>
  mean(
    spec.units.flatMap(({ households }) => households.map(({ building }) => timeConstants(building).slowS)),
  )

/** How much a heated floor is warmer than its room on a usual day, K. */
const FLOOR_EXCESS_K = 6
const COOL_STEP_S = 60
const COOL_H = [40, 60] as const

/** True time constant of a flat with floor heating, s: the slow decay of its air temperature, after fast modes ended. */
function screedTimeConstant({ building, emitter }: HouseholdSpec): number {
  if (emitter.kind !== 'floor') throw new Error('no floor')
  const { coefficient, exponent, capacity } = emitter
  const perK = coefficient * exponent * FLOOR_EXCESS_K ** (exponent - 1)
  const decay = computeDecay(building, COOL_STEP_S)
  const state = { airC: 1, massC: 1 }
  let screedC = 1
  const airAt = COOL_H.map((untilH, index) => {
    const steps = ((untilH - (index === 0 ? 0 : COOL_H[0])) * HOUR_S) / COOL_STEP_S
    for (let step = 0; step < steps; step++) {
      const airHeatW = perK * (screedC - state.airC)
      stepBuilding(building, decay, { outsideC: 0, airHeatW, massHeatW: 0 }, state)
      screedC -= (airHeatW * COOL_STEP_S) / capacity
    }
    return state.airC
  })
  return ((COOL_H[1] - COOL_H[0]) * HOUR_S) / Math.log((airAt[0] ?? 1) / (airAt[1] ?? 1))
}

const hourOfDay = ({ plant }: Site): number => Math.round(plant.simTimeS / HOUR_S) % 24
const setAll = (site: Site, of: (unit: number) => number): void => {
  for (const unit of site.estimatedStem.keys()) command(site, unit, of(unit))
}

/** Sensor readings of days with night setback. */
function recordDays(site: Site, night = NIGHT): RoomHistory {
  const usual = site.estimatedStem.slice()
  site.readings = []
  for (let hour = 0; hour < 24 * DAYS; hour++) {
    if (hourOfDay(site) === night.from) setAll(site, () => night.opening)
    if (hourOfDay(site) === night.to % 24) setAll(site, (unit) => usual[unit] ?? 1)
    advance(site, HOUR_S)
  }
  const ofHours = (read: (reading: Reading) => number): Float64Array =>
    Float64Array.from({ length: 24 * DAYS }, (_, hour) =>
      mean(site.readings.slice(READINGS_AN_HOUR * hour, READINGS_AN_HOUR * (hour + 1)).map(read)),
    )
  return {
    stepS: HOUR_S,
    roomC: ofHours(({ roomC }) => mean(roomC)),
    outdoorC: ofHours(({ outdoorC }) => outdoorC),
    heat: ofHours(({ flowKgS, supplyC, returnC }) =>
      flowKgS.reduce((sum, flow, i) => sum + flow * ((supplyC[i] ?? 0) - (returnC[i] ?? 0)), 0),
    ),
  }
}

const roomNow = ({ readings }: Site): number => mean(readings.at(-1)?.roomC ?? [])

/** Ten hours of setback, then preheating computed from the time constant. `missC`: room minus target at the slot's start, K. */
function preheat(site: Site, timeConstantS: number, usualC: number) {
  const usual = site.estimatedStem.slice()
  setAll(site, () => NIGHT.opening)
  advance(site, 10 * HOUR_S)
  const wantedC = usualC - 1
  const lastsS = preheatTime({ timeConstantS, nowC: roomNow(site), wantedC, boostedC: usualC + 0.5 })
  setAll(site, (unit) => usual[unit] ?? 1)
  advance(site, Math.ceil(lastsS / 900) * 900)
  return { missC: roomNow(site) - wantedC, lastsS }
}

test.each(Object.entries(WEIGHTS))(
  'of %s buildings the true time constant is inside the reported interval',
  (_, weight) => {
    for (const seed of SEEDS) {
      const site = build(seed, weight)
      const found = identifyTimeConstant(recordDays(site))
      const trueS = trueTimeConstant(site)
      if (found.kind !== 'identified') throw new Error(found.kind)
      expect(found.lowS, `seed ${seed}`).toBeLessThan(trueS)
      expect(found.highS, `seed ${seed}`).toBeGreaterThan(trueS)
      expect(found.timeConstantS / trueS).toBeLessThan(1.8)
      expect(found.timeConstantS / trueS).toBeGreaterThan(0.6)
    }
  },
)

test.each(Object.entries(WEIGHTS))(
  'of %s buildings with heated floors it is that of rooms and screeds, for any start of the night',
  (_, weight) => {
    const seed = SEEDS[0]
    for (const night of NIGHTS) {
      const site = build(seed, weight, 1)
      const trueS = mean(site.spec.units.flatMap(({ households }) => households.map(screedTimeConstant)))
      const found = identifyTimeConstant(recordDays(site, night))
      if (found.kind !== 'identified') throw new Error(found.kind)
      const share = found.timeConstantS / trueS
      expect(share, `${night.from} to ${night.to} at ${night.opening}`).toBeLessThan(1.5)
      expect(share, `${night.from} to ${night.to} at ${night.opening}`).toBeGreaterThan(0.7)
    }
  },
)

test.each(Object.entries(WEIGHTS))(
  '%s buildings that are preheated by it are warm at the start of their slot',
  (kind, weight) => {
    const site = build(SEEDS[0], weight)
    const history = recordDays(site)
    const usualC = mean(history.roomC.slice(-48).sort().slice(-12))
    const found = identifyTimeConstant(history)
    if (found.kind !== 'identified') throw new Error(found.kind)
    const { missC, lastsS } = preheat(site, found.timeConstantS, usualC)
    expect(missC).toBeGreaterThan(-0.2)
    expect(lastsS).toBeGreaterThan(0)
    // With the usual time constant a light building is heated for twice as long.
    if (kind === 'heavy') return
    expect(found.timeConstantS).toBeLessThan((80 * HOUR_S) / 2)
    // With a far shorter one it is heated too late.
    expect(preheat(site, found.timeConstantS / 6, usualC).missC).toBeLessThan(-0.5)
  },
)
