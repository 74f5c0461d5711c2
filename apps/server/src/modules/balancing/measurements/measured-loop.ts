import type { LoopReadings } from '@isotherm/balancing/records/loop-records'
import {
  findFrozen,
  judgePair,
  ROOM_LIMITS,
  readWindow,
  type SensorLimits,
  WATER_LIMITS,
  type WindowValue,
} from '@isotherm/balancing/rooms/sensor-window'
import { withoutDeadMeters } from '@isotherm/balancing/step/dead-meters'
import { isHeadAt } from '@isotherm/contract/command'
import type { MetricName } from '@isotherm/contract/metrics'
import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { median, weightedMean } from '@isotherm/kernel/statistics'
import type { LoopSensor } from '../loop/loop.pg.ts'
import type { Loop, LoopConsumer } from '../loop/loop.ts'
import { isRested, type LoopWindow, windowStart } from './loop-window.ts'
import type { Readings, ReadSeries } from './readings.ch.ts'

/** Readings of one window for a plan, and values that are only displayed. NaN without a trusted reading. */
export interface MeasuredLoop extends LoopReadings {
  /** Openings as last reported, %. */
  readonly openingPct: Float64Array
  /** Valves whose meter shows no flow although warm water leaves their building: it counts as no reading. */
  readonly deadMeters?: ReadonlySet<number> | undefined
  /** Every trusted room temperature, °C, by device. */
  readonly rooms: ReadonlyMap<number, number>
  /** Differential pressure between supply and return at each consumer, Pa. */
  readonly dropPa?: Float64Array | undefined
  readonly pumpW: number
  readonly stationSupplyC: number
  readonly stationReturnC: number
  /** Head that its controller reports to hold, kPa: 0 at a fixed speed, undefined without head control. */
  readonly heldKpa?: number | undefined
}

/** Maximum change of a reported opening of a valve that does not move, percentage points. */
export const STILL_PCT = 1.5
/** Maximum error between a supply and a return sensor clamped to a pipe, K. */
const PAIR_ERROR_K = 1

/** Mass flow of heating water, kg/s, for a volume flow in m³/h. */
export const toKgS = (flowM3H: number): number => (flowM3H * WARM_WATER.densityKgM3) / 3600
/** The inverse of `toKgS`. */
export const toM3H = (flowKgS: number): number => (flowKgS * 3600) / WARM_WATER.densityKgM3

/** Last instant at which a valve was reported at another opening than now, Unix ms; 0 if it never was. */
function findLastOtherOpening({ ts, value }: ReadSeries): number {
  const now = value.at(-1) ?? 0
  return ts[value.findLastIndex((shown) => Math.abs(shown - now) > STILL_PCT)] ?? 0
}

/**
 * One value per sensor since its instant in `since`; NaN without a trusted one. Sensors of one kind are judged
 * together: a sensor that does not change while the others do is frozen.
 */
function readTrusted(
  series: readonly ReadSeries[],
  since: Float64Array,
  limits: SensorLimits,
  { to, timeFactor, minReadings }: LoopWindow,
): Float64Array {
  // The limits of physics are in plant time, counted back from now.
  const toPlantS = (at: number): number => ((at - to) * timeFactor) / 1000
  const found = series.map(
    ({ ts, value }, index): WindowValue =>
      readWindow({ atS: ts.map(toPlantS), value }, limits, {
        fromS: toPlantS(since[index] ?? to),
        untilS: 0,
        minReadings,
      }),
  )
  const ranges = found.map(({ verdict, range }) => (verdict === 'good' ? range : Number.NaN))
  const frozen = new Set(findFrozen(ranges, limits.step))
  return Float64Array.from(found, ({ value }, index) => (frozen.has(index) ? Number.NaN : value))
}

/**
 * Last instant at which a station held another head than now, Unix ms; 0 if it never did. Controllers that follow the
 * weather or the flow change it a little all the time: heads within the tolerance of a confirmed command are equal.
 */
function findLastOtherHead({ deviceId }: LoopSensor, readings: Readings): number {
  const { ts, value } = readings(deviceId, 'pump.target')
  const now = value.at(-1) ?? 0
  return ts[value.findLastIndex((held) => !isHeadAt(held, now))] ?? 0
}

/** Readings of a station; each value is the median of its readings since the present head was set. */
export function measureStation(station: LoopSensor, readings: Readings, window: LoopWindow) {
  const { deviceId, periodS } = station
  const from = Math.max(windowStart(window, periodS), findLastOtherHead(station, readings))
  const of = (metric: MetricName): number => {
    const { ts, value } = readings(deviceId, metric)
    return median(value.filter((_, index) => (ts[index] ?? 0) > from)) ?? Number.NaN
  }
  const betweenKpa = of('pressure.supply') - of('pressure.return')
  return {
    headPa: 1000 * (Number.isNaN(betweenKpa) ? of('pressure.diff') : betweenKpa),
    totalKgS: toKgS(of('heat.flow')),
    pumpW: 1000 * of('pump.power'),
    outdoorC: of('temp.outdoor'),
    stationSupplyC: of('temp.supply'),
    stationReturnC: of('temp.return'),
    heldKpa: readings(deviceId, 'pump.target').value.at(-1),
  }
}

/** Every trusted room temperature of a loop, °C, by sensor. */
export function measureRooms(
  { consumers }: Loop,
  readings: Readings,
  window: LoopWindow,
): ReadonlyMap<number, number> {
  const sensors = consumers.flatMap(({ rooms }) => rooms)
  const series = sensors.map(({ deviceId }) => readings(deviceId, 'temp.room'))
  const since = Float64Array.from(sensors, ({ periodS }) => windowStart(window, periodS))
  const shown = readTrusted(series, since, ROOM_LIMITS, window)
  return new Map(
    sensors.flatMap(({ deviceId }, index) => {
      const value = shown[index] ?? Number.NaN
      return Number.isNaN(value) ? [] : [[deviceId, value] as const]
    }),
  )
}

/**
 * Readings of a loop from a window. For a valve that moved, only readings after the move count, and no temperatures
 * before they have settled. Rooms follow over days and report rarely: their present values count wherever the window
 * starts.
 */
export function measureLoop(loop: Loop, readings: Readings, window: LoopWindow): MeasuredLoop {
  const { consumers } = loop
  const ofValves = (metric: MetricName) => consumers.map(({ deviceId }) => readings(deviceId, metric))
  const opening = ofValves('valve.opening')
  // A change of the head changes every flow, like a move of its own valve.
  const otherHead = findLastOtherHead(loop.station, readings)
  const moved = Float64Array.from(opening, (series) => Math.max(otherHead, findLastOtherOpening(series)))
  const since = moved.map((at, index) => Math.max(at, windowStart(window, consumers[index]?.periodS ?? 0)))
  const supplyC = readTrusted(ofValves('temp.supply'), since, WATER_LIMITS, window)
  const returnC = readTrusted(ofValves('temp.return'), since, WATER_LIMITS, window)
  supplyC.forEach((supply, index) => {
    const isAtRest = isRested(window, moved[index] ?? 0)
    if (isAtRest && judgePair(supply, returnC[index] ?? Number.NaN, PAIR_ERROR_K) !== 'swapped') return
    supplyC[index] = Number.NaN
    returnC[index] = Number.NaN
  })
  const medianOf = (metric: MetricName) =>
    Float64Array.from(ofValves(metric), ({ ts, value }, index) => {
      const recent = value.filter((_, at) => (ts[at] ?? 0) > (since[index] ?? window.to))
      return recent.length < window.minReadings ? Number.NaN : (median(recent) ?? Number.NaN)
    })
  const shownKgS = medianOf('heat.flow').map(toKgS)
  const rooms = measureRooms(loop, readings, { ...window, notBefore: 0 })
  const roomC = Float64Array.from(consumers, (consumer) => meanRoom(consumer, rooms))
  const meterKgS = withoutDeadMeters({ meterKgS: shownKgS, returnC, roomC })
  return {
    supplyC,
    returnC,
    meterKgS,
    deadMeters: new Set(
      consumers.flatMap(({ deviceId }, index) =>
        Number.isNaN(meterKgS[index]) && !Number.isNaN(shownKgS[index]) ? deviceId : [],
      ),
    ),
    rooms,
    openingPct: Float64Array.from(opening, ({ value }) => value.at(-1) ?? Number.NaN),
    roomC,
    dropPa: medianOf('pressure.diff').map((kpa) => 1000 * kpa),
    ...measureStation(loop.station, readings, window),
  }
}

/** The coldest room behind a consumer, °C; NaN if none is known. */
export const coldestRoom = ({ rooms }: LoopConsumer, roomC: ReadonlyMap<number, number>): number => {
  const known = rooms.flatMap(({ deviceId }) => roomC.get(deviceId) ?? [])
  return known.length === 0 ? Number.NaN : Math.min(...known)
}

/** Mean of the rooms behind a consumer, °C; NaN if none is known. */
export const meanRoom = ({ rooms }: LoopConsumer, roomC: ReadonlyMap<number, number>): number =>
  weightedMean(rooms.map(({ deviceId }) => roomC.get(deviceId) ?? Number.NaN)) ?? Number.NaN
