import { toRoomRestS } from '@isotherm/balancing/rooms/room-rest'
import { STALE_AFTER_PERIODS } from '@isotherm/contract/devices'
import { median } from '@isotherm/kernel/statistics'
import type { ClickHouseClient } from '../../../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../../../platform/clock.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import type { LiveStates } from '../../../telemetry/index.ts'
import type { LoopSensor } from '../../loop/loop.pg.ts'
import { readLoop } from '../../loop/loop-place.ts'
import type { Place } from '../../loop/place.ts'
import { readNewestAt } from '../../measurements/newest-at.ch.ts'
import { readSlotMeans } from '../../measurements/slot-means.ch.ts'
import { readHeads } from '../../settling/head-history.ch.ts'
import { readLastMoves } from '../../settling/last-moves.ch.ts'
import { findRoomRest, findWaitHours, toDriftSpan, toRoomRestMs } from '../../settling/room-rest.ts'
import { type SupplyStation, showStation } from './supply-station.ts'
import type { FindTimeConstant } from './time-constants.ts'

/** Measured rooms of a loop and the supply of its station. */
export interface SupplyRooms extends SupplyStation {
  /** Means of the last day of plant time, °C; NaN without trusted readings. */
  readonly roomsC: Float64Array
  /** Share of the valves of the loop with a measured room. */
  readonly measuredShare: number
  /** Of these, the means of rooms with a new reading (NaN for the others), and the share of the valves with one. */
  readonly fresh: { readonly roomsC: Float64Array; readonly share: number }
  /** Median change from the day before to the last day, K; NaN if not measured. */
  readonly driftK: number
  /** Time in which rooms follow a change, and time until they are at rest after moves; s of plant time. */
  readonly restS: number
  readonly waitS: number
  /** Means of the last day at the station: difference of supply and return, outdoor temperature; NaN if not measured. */
  readonly differenceK: number
  readonly outdoorC: number
  /** Mean difference of each valve with a measured room, K (NaN if not measured), and its coldest room, °C. */
  readonly valves: readonly { readonly differenceK: number; readonly coldestC: number }[]
}

export interface SupplyRoomsNeeds {
  readonly db: Database
  readonly clickhouse: ClickHouseClient
  readonly clock: Pick<Clock, 'now'>
  readonly states: Pick<LiveStates, 'find'>
  readonly timeFactor: () => number | undefined
  readonly findTimeConstant: FindTimeConstant
}

const HOUR_S = 3_600
const WATER_METRICS = ['temp.supply', 'temp.return', 'temp.outdoor'] as const
/**
 * Maximum age of a new reading, plant time. The supply and the weather change rooms by some tenths of a kelvin in two
 * hours; in a day, cold flats may have been missed for the whole of it.
 */
const FRESH_S = 2 * HOUR_S

/** Maximum age of a new reading of a sensor, ms of clock time: longer for one that reports rarely. */
export const toFreshMs = (periodS: number, timeFactor: number): number =>
  Math.max((1_000 * FRESH_S) / timeFactor, 1_000 * STALE_AFTER_PERIODS * periodS)

/** Reads the measured rooms of a whole loop. Throws balance.no-station, balance.too-large. */
export async function readSupplyRooms(
  { db, clickhouse, clock, states, ...needs }: SupplyRoomsNeeds,
  place: Pick<Place, 'stationPath' | 'nodeName'>,
): Promise<SupplyRooms> {
  const loop = await readLoop(db, place)
  const { station, consumers } = loop
  const timeFactor = needs.timeFactor() ?? 1
  const found = await needs.findTimeConstant(loop)
  const timeConstantS = found.kind === 'identified' ? found.timeConstantS : undefined
  const time = { to: clock.now(), timeFactor, timeConstantS }
  const span = { from: time.to - toRoomRestMs(time), to: time.to }
  const valves = consumers.map(({ deviceId }) => deviceId)
  const sensors = consumers.flatMap(({ rooms }) => rooms.map(({ deviceId }) => deviceId))
  const slowestS = consumers.flatMap(({ rooms }) => rooms).reduce((s, { periodS }) => Math.max(s, periodS), 0)
  const freshSpan = { from: time.to - toFreshMs(slowestS, timeFactor), to: time.to }
  const [movedAt, heads, means, water, newestAt] = await Promise.all([
    readLastMoves(clickhouse, valves, span),
    readHeads(clickhouse, station.deviceId, span),
    readSlotMeans(clickhouse, sensors, ['temp.room'], toDriftSpan(time)),
    readSlotMeans(clickhouse, [station.deviceId, ...valves], WATER_METRICS, toDriftSpan(time)),
    readNewestAt(clickhouse, sensors, 'temp.room', freshSpan),
  ])
  const rest = findRoomRest(loop, { movedAt, heads, means }, time)
  const slotsOf = (deviceId: number) =>
    means(deviceId, 'temp.room') ?? Float64Array.of(Number.NaN, Number.NaN)
  const roomC = (deviceId: number): number => slotsOf(deviceId)[1] ?? Number.NaN
  const isNew = ({ deviceId, periodS }: LoopSensor): boolean =>
    (newestAt.get(deviceId) ?? 0) >= time.to - toFreshMs(periodS, timeFactor)
  const freshRooms = consumers.flatMap(({ rooms }) =>
    rooms.map((sensor) => (isNew(sensor) ? roomC(sensor.deviceId) : Number.NaN)),
  )
  const shareWith = (isCounted: (sensor: LoopSensor) => boolean): number => {
    const counted = consumers.filter(({ rooms }) =>
      rooms.some((sensor) => Number.isFinite(roomC(sensor.deviceId)) && isCounted(sensor)),
    )
    return counted.length / Math.max(1, consumers.length)
  }
  const waterC = (deviceId: number, metric: (typeof WATER_METRICS)[number]): number =>
    water(deviceId, metric)?.[1] ?? Number.NaN
  const differenceOf = (deviceId: number): number =>
    waterC(deviceId, 'temp.supply') - waterC(deviceId, 'temp.return')
  const changes = sensors.map((deviceId) => roomC(deviceId) - (slotsOf(deviceId)[0] ?? Number.NaN))
  return {
    ...showStation(states, station.deviceId),
    roomsC: Float64Array.from(sensors, roomC),
    measuredShare: shareWith(() => true),
    fresh: { roomsC: Float64Array.from(freshRooms), share: shareWith(isNew) },
    driftK: median(changes.filter(Number.isFinite)) ?? Number.NaN,
    restS: toRoomRestS(timeConstantS),
    // Hours of clock time; the plant may run faster.
    waitS: findWaitHours(rest, valves) * HOUR_S * timeFactor,
    differenceK: differenceOf(station.deviceId),
    outdoorC: waterC(station.deviceId, 'temp.outdoor'),
    valves: consumers.flatMap(({ deviceId, rooms }) => {
      const measured = rooms.map((sensor) => roomC(sensor.deviceId)).filter(Number.isFinite)
      return measured.length === 0
        ? []
        : { differenceK: differenceOf(deviceId), coldestC: Math.min(...measured) }
    }),
  }
}
