import {
  type ChildReading,
  MAX_CHILDREN,
  type ReplyMessage,
  type TelemetryMessage,
} from '@isotherm/contract/mqtt'
import { createRandom, type Random } from '@isotherm/kernel/random'
import { moveStem, type StationPlant } from '../plant/station-plant.ts'
import { followCommand, type Reply, takeCommand } from './command-desk.ts'
import { createHeatMeter, type HeatMeter, integrateMeter, readMeter } from './heat-meter.ts'
import { createReportClock, type ReportClock } from './report-clock.ts'
import { reportPeriodS } from './report-period.ts'
import { createRoomSensors, type RoomSensor, readRoom } from './room-sensor.ts'
import { createStationDevice, readStation, type StationDevice } from './station-device.ts'
import { advanceActuator } from './valve-actuator.ts'
import { createValveDevice, readValve, type ValveDevice } from './valve-device.ts'

/** A station's concentrator: all its children, and the numbering of what it sends. No I/O. */
export interface Concentrator {
  readonly serial: string
  readonly plant: StationPlant
  readonly boot: number
  readonly valves: ReadonlyMap<string, ValveDevice>
  readonly meters: readonly HeatMeter[]
  readonly rooms: readonly RoomSensor[]
  readonly station: StationDevice
  readonly reports: ReportClock
  /** Number of the next telemetry message, and of the next reply; two counters, so that telemetry has no gaps. */
  telemetrySeq: number
  replySeq: number
}

export interface ConcentratorOptions {
  readonly seed: number
  readonly boot: number
  /** Shortest move of a valve in simulated seconds. */
  readonly minMoveS: number
  /** Source of sensor noise and report jitter. */
  readonly noise: Random
}

export function createConcentrator(plant: StationPlant, options: ConcentratorOptions): Concentrator {
  const { spec } = plant
  const identity = createRandom(options.seed ^ Number(spec.stationSerial.slice(0, 9)))
  const { noise, minMoveS } = options
  const valves = spec.units.map((unit, index) => createValveDevice(unit, index, minMoveS, identity, noise))
  return {
    serial: spec.concentratorSerial,
    plant,
    boot: options.boot,
    valves: new Map(valves.map((valve) => [valve.serial, valve])),
    meters: spec.buildings.map((building) => createHeatMeter(building, identity, noise)),
    rooms: createRoomSensors(plant, identity, noise),
    station: createStationDevice(spec.stationSerial, identity, noise),
    reports: createReportClock(noise),
    telemetrySeq: 0,
    replySeq: 0,
  }
}

const numberReply = (concentrator: Concentrator, reply: Reply): ReplyMessage => ({
  v: 1,
  boot: concentrator.boot,
  seq: concentrator.replySeq++,
  ...reply,
})

/** Handles what came on down/cmd, already parsed from JSON, and answers the replies to send at once. */
export function receiveCommand(
  concentrator: Concentrator,
  message: unknown,
  nowMs: number,
  simTimeS: number,
): ReplyMessage[] {
  return takeCommand(concentrator.valves, message, nowMs, simTimeS).map((reply) =>
    numberReply(concentrator, reply),
  )
}

/** Runs motors up to a simulated instant and puts the stems where they now stand. Before the plant's step. */
export function runMotors(concentrator: Concentrator, nowMs: number, simTimeS: number): ReplyMessage[] {
  const replies: ReplyMessage[] = []
  for (const valve of concentrator.valves.values()) {
    const event = advanceActuator(valve.actuator, simTimeS)
    if (event !== 'idle') moveStem(concentrator.plant, valve.index, valve.actuator.stem)
    if (event === 'arrived' || event === 'stalled') concentrator.reports.hurry(valve.serial)
    for (const reply of followCommand(valve, event, nowMs)) replies.push(numberReply(concentrator, reply))
  }
  return replies
}

/** Counts heat and volume of a simulated span. After the plant's step. */
export function runMeters(concentrator: Concentrator, durationS: number): void {
  for (const meter of concentrator.meters) integrateMeter(meter, concentrator.plant, durationS)
}

function collectReadings(concentrator: Concentrator, nowMs: number, simTimeS: number): ChildReading[] {
  const { plant, reports } = concentrator
  const readings: ChildReading[] = []
  const report = (id: string, periodS: number, read: () => Record<string, number>): void => {
    if (reports.takeTurn(id, periodS, nowMs)) readings.push({ id, ts: nowMs, m: read() })
  }
  report(concentrator.serial, reportPeriodS.concentrator, () => ({ rssi: -67 }))
  report(concentrator.station.serial, reportPeriodS.station, () => readStation(concentrator.station, plant))
  for (const valve of concentrator.valves.values()) {
    if (valve.unit.fault === 'offline') continue
    report(valve.serial, reportPeriodS.valve, () => readValve(valve, plant, simTimeS))
  }
  for (const meter of concentrator.meters) {
    report(meter.serial, reportPeriodS['heat-meter'], () => readMeter(meter, plant))
  }
  for (const room of concentrator.rooms) {
    report(room.serial, reportPeriodS['room-sensor'], () => readRoom(room, plant))
  }
  return readings
}

/** Telemetry messages with the readings that are due, at most MAX_CHILDREN in each. */
export function collectTelemetry(
  concentrator: Concentrator,
  nowMs: number,
  simTimeS: number,
): TelemetryMessage[] {
  const readings = collectReadings(concentrator, nowMs, simTimeS)
  const messages: TelemetryMessage[] = []
  for (let from = 0; from < readings.length; from += MAX_CHILDREN) {
    const d = readings.slice(from, from + MAX_CHILDREN)
    messages.push({ v: 1, boot: concentrator.boot, seq: concentrator.telemetrySeq++, ts: nowMs, d })
  }
  return messages
}
