import { createRandom, type Random, sampleNormal } from '@isotherm/kernel/random'
import { toM3H } from '../physics/water.ts'
import { FLATS_PER_BUILDING } from './build-flats.ts'
import type { Motor, Plant } from './plant.ts'

/** Faults of instruments, by building. */
export interface InstrumentFaults {
  readonly isMetered: boolean
  /** Return sensors that are strapped to the pipe and show 3 K too little. */
  readonly strapped: ReadonlySet<number>
  /** Meters that show zero. */
  readonly zeroMeters: ReadonlySet<number>
  /** Valves that report nothing. */
  readonly offline: ReadonlySet<number>
  /** Blocked valves that measure their position; the others count the time of the motor. */
  readonly honest: ReadonlySet<number>
  /** Valves that report 100 − x at an opening of x, %. */
  readonly invertedReports: ReadonlySet<number>
  /** Valves that go to 100 − p when p is ordered, %. */
  readonly invertedDrives: ReadonlySet<number>
  /** Errors of reported openings, percentage points. */
  readonly feedbackPct: ReadonlyMap<number, number>
}

/** Opening that a valve reports, %. */
export function toReportedPct(faults: InstrumentFaults, motor: Motor | undefined, building: number): number {
  const isHonest = motor?.isBlocked === true && faults.honest.has(building)
  const pct = 100 * ((isHonest ? motor.stem : motor?.position) ?? 0)
  const seen = faults.invertedReports.has(building) ? 100 - pct : pct
  return Math.min(100, Math.max(0, Math.round(seen + (faults.feedbackPct.get(building) ?? 0))))
}

/** Fixed errors of all instruments of a plant. */
export interface Instruments {
  readonly seed: number
  readonly faults: InstrumentFaults
  readonly supplyK: Float64Array
  readonly returnK: Float64Array
  /** Factor of each meter. */
  readonly meter: Float64Array
  /** Flats with a room sensor, and the error of each sensor, K. */
  readonly sensorFlats: Int32Array
  readonly roomK: Float64Array
  readonly stationMeter: number
}

const SENSOR_SHARE = 0.3
const STRAPPED_K = -3
/** Standard deviations of fixed errors: water sensors, room sensors (K), meters. */
const FIXED = { waterK: 0.12, roomK: 0.3, meter: 0.012, stationMeter: 0.005 } as const
/** Standard deviations of noise. */
const NOISE = { waterK: 0.06, roomK: 0.08, meter: 0.008, stationMeter: 0.003, pressureKpa: 0.4 } as const

const drawAll = (random: Random, count: number, deviation: number): Float64Array =>
  Float64Array.from({ length: count }, () => sampleNormal(random, 0, deviation))

export function createInstruments({ spec }: Pick<Plant, 'spec'>, faults: InstrumentFaults): Instruments {
  const random = createRandom(1000 * spec.seed + 11)
  const count = spec.buildings.length
  const supplyK = drawAll(random, count, FIXED.waterK)
  const returnK = drawAll(random, count, FIXED.waterK)
  const meter = drawAll(random, count, FIXED.meter).map((error) => 1 + error)
  const sensorFlats = Int32Array.from(
    Array.from({ length: count * FLATS_PER_BUILDING }, (_, flat) => flat).filter(
      () => random() < SENSOR_SHARE,
    ),
  )
  const roomK = drawAll(random, sensorFlats.length, FIXED.roomK)
  const stationMeter = 1 + sampleNormal(random, 0, FIXED.stationMeter)
  return { seed: spec.seed, faults, supplyK, returnK, meter, sensorFlats, roomK, stationMeter }
}

/** Noise of about unit deviation for a signal at a step: the same in every copy of a plant. */
function noiseOf(seed: number, signal: number, step: number): number {
  let mixed =
    (Math.imul(seed, 0x9e3779b1) ^ Math.imul(signal + 1, 0x85ebca6b) ^ Math.imul(step + 1, 0xc2b2ae35)) >>> 0
  let sum = 0
  for (let draw = 0; draw < 3; draw++) {
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 0
    mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) >>> 0
    mixed = (mixed ^ (mixed >>> 15)) >>> 0
    sum += mixed / 4_294_967_296
    mixed = (mixed + 0x6d2b79f5) >>> 0
  }
  return 2 * (sum - 1.5)
}

/** Resolution of a display. */
const shown = (value: number, resolution: number): number => Math.round(value / resolution) * resolution

/** Signals of a station, in the order of their rows after those of valves and rooms. */
export const stationSignals = [
  'pressure.supply',
  'pressure.return',
  'heat.flow',
  'temp.supply',
  'temp.return',
  'temp.outdoor',
  'pump.power',
  'pump.target',
] as const
/** Signals of a valve, one block of rows each. */
export const valveSignals = ['valve.opening', 'temp.supply', 'temp.return', 'heat.flow'] as const

/** Number of rows of readings of a plant. */
export const rowsOf = ({ supplyK, sensorFlats }: Instruments): number =>
  valveSignals.length * supplyK.length + sensorFlats.length + stationSignals.length

/** Pressure of the make-up point in the return, kPa, and the efficiency of the pump. */
const RETURN_KPA = 200
const PUMP_EFFICIENCY = 0.65

/** Readings of all instruments after a step, by row; NaN where nothing is reported. */
export function readInstruments(instruments: Instruments, plant: Plant, step: number): Float64Array {
  const { seed, faults, supplyK, returnK, meter, sensorFlats, roomK, stationMeter } = instruments
  const count = supplyK.length
  const rows = new Float64Array(rowsOf(instruments)).fill(Number.NaN)
  const noise = (row: number): number => noiseOf(seed, row, step)
  for (let building = 0; building < count; building++) {
    if (faults.offline.has(building)) continue
    const motor = plant.motors[building]
    const [opening, supply, back, flow] = [
      building,
      count + building,
      2 * count + building,
      3 * count + building,
    ]
    rows[opening] = toReportedPct(faults, motor, building)
    rows[supply] = shown(
      (plant.supplyC[building] ?? 0) + (supplyK[building] ?? 0) + NOISE.waterK * noise(supply),
      0.1,
    )
    rows[back] = shown(
      (plant.returnC[building] ?? 0) +
        (returnK[building] ?? 0) +
        (faults.strapped.has(building) ? STRAPPED_K : 0) +
        NOISE.waterK * noise(back),
      0.1,
    )
    if (!faults.isMetered) continue
    const trueM3H = toM3H(plant.flows.branchKgS[building] ?? 0)
    const shownM3H = trueM3H * (meter[building] ?? 1) * (1 + NOISE.meter * noise(flow))
    rows[flow] = faults.zeroMeters.has(building) ? 0 : shown(shownM3H, 0.001)
  }
  const rooms = valveSignals.length * count
  for (const [sensor, flat] of sensorFlats.entries())
    rows[rooms + sensor] = shown(
      (plant.temps.airC[flat] ?? 0) + (roomK[sensor] ?? 0) + NOISE.roomK * noise(rooms + sensor),
      0.1,
    )
  const from = rooms + sensorFlats.length
  const { headPa, totalKgS } = plant.flows
  const { exchanger } = plant.spec.pump
  const pumpPa = headPa + exchanger * totalKgS ** 2
  const station: Readonly<Record<(typeof stationSignals)[number], number>> = {
    'pressure.supply': shown(RETURN_KPA + headPa / 1000 + NOISE.pressureKpa * noise(from), 0.1),
    'pressure.return': shown(RETURN_KPA + NOISE.pressureKpa * noise(from + 1), 0.1),
    'heat.flow': shown(toM3H(totalKgS) * stationMeter * (1 + NOISE.stationMeter * noise(from + 2)), 0.01),
    'temp.supply': shown(plant.stationSupplyC + NOISE.waterK * noise(from + 3), 0.1),
    'temp.return': shown(plant.stationReturnC + NOISE.waterK * noise(from + 4), 0.1),
    'temp.outdoor': shown(plant.weather.outdoorC[step] ?? Number.NaN, 0.1),
    'pump.power': (pumpPa * totalKgS) / 990 / PUMP_EFFICIENCY / 1000,
    'pump.target': plant.holdPa === undefined ? Number.NaN : plant.holdPa / 1000,
  }
  for (const [index, name] of stationSignals.entries()) rows[from + index] = station[name]
  return rows
}
