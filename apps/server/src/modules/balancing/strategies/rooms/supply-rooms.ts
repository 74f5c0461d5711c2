import { toRoomRestS } from '@isotherm/balancing/rooms/room-rest'
import { median } from '@isotherm/kernel/statistics'
import type { ClickHouseClient } from '../../../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../../../platform/clock.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import type { LiveStates } from '../../../telemetry/index.ts'
import { readLoop } from '../../loop/loop-place.ts'
import type { Place } from '../../loop/place.ts'
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
  /** Median change from the day before to the last day, K; NaN if not measured. */
  readonly driftK: number
  /** Time in which rooms follow a change, and time until they are at rest after moves; s of plant time. */
  readonly restS: number
  readonly waitS: number
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

/** Reads the measured rooms of a whole loop. Throws balance.no-station, balance.too-large. */
export async function readSupplyRooms(
  { db, clickhouse, clock, states, ...needs }: SupplyRoomsNeeds,
  place: Place,
): Promise<SupplyRooms> {
  const loop = await readLoop(db, place)
  const { station, consumers } = loop
  const factor = needs.timeFactor() ?? 1
  const found = await needs.findTimeConstant(loop)
  const timeConstantS = found.kind === 'identified' ? found.timeConstantS : undefined
  const time = { to: clock.now(), factor, timeConstantS }
  const span = { from: time.to - toRoomRestMs(time), to: time.to }
  const valves = consumers.map(({ deviceId }) => deviceId)
  const sensors = consumers.flatMap(({ rooms }) => rooms.map(({ deviceId }) => deviceId))
  const [movedAt, heads, means] = await Promise.all([
    readLastMoves(clickhouse, valves, span),
    readHeads(clickhouse, station.deviceId, span),
    readSlotMeans(clickhouse, sensors, ['temp.room'], toDriftSpan(time)),
  ])
  const rest = findRoomRest(loop, { movedAt, heads, means }, time)
  const slotsOf = (deviceId: number) =>
    means(deviceId, 'temp.room') ?? Float64Array.of(Number.NaN, Number.NaN)
  const roomC = (deviceId: number): number => slotsOf(deviceId)[1] ?? Number.NaN
  const withRoom = consumers.filter(({ rooms }) =>
    rooms.some(({ deviceId }) => Number.isFinite(roomC(deviceId))),
  )
  const changes = sensors.map((deviceId) => roomC(deviceId) - (slotsOf(deviceId)[0] ?? Number.NaN))
  return {
    ...showStation(states, station.deviceId),
    roomsC: Float64Array.from(sensors, roomC),
    measuredShare: consumers.length === 0 ? 0 : withRoom.length / consumers.length,
    driftK: median(changes.filter(Number.isFinite)) ?? Number.NaN,
    restS: toRoomRestS(timeConstantS),
    // Hours of clock time; the plant may run faster.
    waitS: findWaitHours(rest, valves) * HOUR_S * factor,
  }
}
