import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { celsius } from '@isotherm/kernel/quantities'
import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { waterDensity } from '@isotherm/kernel/water-density'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'

/** Step of the true values, ms. */
export const STEP_MS = 5 * MINUTE_MS
/** Largest error of a room sensor: offset, noise and resolution, K. */
export const ROOM_ERROR_K = 0.3
/** Largest error of a heat meter, share of the heat (class 1 has more at small flows). */
export const METER_ERROR = 0.006

/** A household: its room and its heat. */
export interface Home {
  readonly unit: string
  readonly roomC: (at: number) => number
  readonly powerKw: (at: number) => number
}

/**
 * A made company in a made autumn: true values as functions of time. Nothing of the product takes part in it. Days are those
 * of `dayStart`, the first instant of the simulated time.
 */
export function createMonthPlant(dayStart: number, changedAt: number) {
  const hourOf = (at: number) => ((((at - dayStart) / HOUR_MS) % 24) + 24) % 24
  const dayOf = (at: number) => (at - dayStart) / DAY_MS
  /** Weeks of weather, a daily wave, and a cold spell of four days. */
  const outdoorC = (at: number): number => {
    const spell = Math.exp(-(((dayOf(at) - 55) / 2.2) ** 2))
    return 3 + 5 * Math.sin(dayOf(at) / 4.5) + 3 * Math.sin((2 * Math.PI * (hourOf(at) - 9)) / 24) - 9 * spell
  }
  // What people do differently on each day. A 90 % interval misses one draw in ten: this one has no odd month.
  const random = createRandom(7)
  const noises = Array.from({ length: 120 }, () => sampleNormal(random, 0, 0.03))
  const noiseOf = (at: number) => noises[Math.floor(dayOf(at))] ?? 0

  /** A room around a temperature: colder in the night and in the spell, each by its own measure. */
  const createHome = (unit: string, meanC: number, weatherK: number, kwK: number): Home => ({
    unit,
    roomC: (at) =>
      meanC + 0.6 * Math.sin((2 * Math.PI * (hourOf(at) - 10)) / 24) + weatherK * (outdoorC(at) - 3),
    powerKw: (at) => kwK * (19 - outdoorC(at)) * (1 + noiseOf(at)),
  })
  const homes = [
    createHome('b2u1', 21, 0.05, 0.12),
    createHome('b2u2', 18.2, 0.12, 0.1),
    createHome('b10u1', 16.4, 0.12, 0.09),
    createHome('b10u2', 17.3, 0.2, 0.11),
  ]
  const sum = (homesOf: readonly Home[], at: number) =>
    homesOf.reduce((all, { powerKw }) => all + powerKw(at), 0)
  const ofBuilding = (building: string) => homes.filter(({ unit }) => unit.startsWith(`${building}u`))
  /** Pipes lose heat between a building's meter and its homes, and between the station and the buildings. */
  const buildingKw = (building: string, at: number) => 1.04 * sum(ofBuilding(building), at) + 0.15
  const stationKw = (at: number) => 1.05 * (buildingKw('b2', at) + buildingKw('b10', at)) + 0.6
  /** Another station saves a tenth from an instant on. */
  const savingKw = (at: number) =>
    (4 * (18 - outdoorC(at)) + 20) * (1 + noiseOf(at)) * (at < changedAt ? 1 : 0.9)

  return { outdoorC, homes, ofBuilding, buildingKw, stationKw, savingKw }
}

/** Mean of a value over a time, by the middles of its steps. */
export function meanOf(value: (at: number) => number, from: number, to: number): number {
  let sum = 0
  let count = 0
  for (let at = from + STEP_MS / 2; at < to; at += STEP_MS) {
    sum += value(at)
    count += 1
  }
  return sum / count
}

/** Heat of a power over a time, kWh. */
export const heatOf = (powerKw: (at: number) => number, from: number, to: number): number =>
  meanOf(powerKw, from, to) * ((to - from) / HOUR_MS)

/** What a room sensor shows: its own offset, noise, and steps of 0.1 °C. */
export function createRoomSensor(roomC: (at: number) => number, seed: number) {
  const random = createRandom(seed)
  const offsetK = 0.3 * random() - 0.15
  return (at: number): number => Math.round((roomC(at) + offsetK + 0.06 * (random() - 0.5)) * 10) / 10
}

/** The register of a heat meter in steps of 1 kWh, with a constant error of the meter, from an instant on. */
export function createRegister(
  powerKw: (at: number) => number,
  from: number,
  startKwh: number,
  seed: number,
) {
  const factor = 1 + METER_ERROR * (2 * createRandom(seed)() - 1) * 0.8
  let at = from
  let kwh = 0
  return (until: number): number => {
    kwh += until > at ? factor * heatOf(powerKw, at, until) : 0
    at = Math.max(at, until)
    return Math.floor(startKwh + kwh)
  }
}

const SUPPLY_C = 48
const RETURN_C = 40

/** Flow that carries a power at the station's temperatures, m³/h. */
export const flowFor = (kw: number): number =>
  (kw * 3.6e6) / (waterDensity(celsius(RETURN_C)) * WATER_HEAT_CAPACITY * (SUPPLY_C - RETURN_C))
export const stationTemperatures = { 'temp.supply': SUPPLY_C, 'temp.return': RETURN_C }

/** Degree-hours below 18 °C of hourly means, °C. */
export const degreeHoursOf = (hours: readonly number[]) =>
  hours.reduce((sum, c) => sum + Math.max(0, 18 - c), 0)

/** Hourly means as a sensor with this error shows them. */
export const shift = (hours: readonly number[], byK: number) => hours.map((c) => c + byK)

/** Refund in days of the fee, by the steps of the rules: 20 % below 18 °C, 50 % below 16 °C, all below 14 °C. */
export function refundOf(days: readonly (readonly number[])[], byK: number): number {
  return days
    .filter((hours) => hours.length >= 12)
    .map((hours) => hours.reduce((sum, c) => sum + c, 0) / hours.length + byK)
    .reduce((sum, c) => sum + (c < 14 ? 1 : c < 16 ? 0.5 : c < 18 ? 0.2 : 0), 0)
}

/** A device of the registry below the concentrator of all. */
export const device = (serial: string, kind: 'heat-meter' | 'station' | 'concentrator', node: string) => ({
  serial,
  kind,
  name: serial,
  model: 'T1',
  node,
  concentrator: kind === 'concentrator' ? null : 'C-all',
  periodS: kind === 'heat-meter' ? 3_600 : 900,
})
