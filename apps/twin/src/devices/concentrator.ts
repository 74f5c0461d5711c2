import type { DeviceKind } from '@isotherm/contract/devices'
import type { ReplyMessage } from '@isotherm/contract/mqtt'
import { createRandom, createResumableRandom, type ResumableRandom } from '@isotherm/kernel/random'
import type { Held } from '../faults/distort.ts'
import type { FaultBoard } from '../faults/fault-board.ts'
import { moveStem, type StationPlant, setMaster } from '../plant/station-plant.ts'
import type { Firmware } from '../scenarios/firmware.ts'
import { takeForTravel } from './battery.ts'
import { deliverWaiting, followCommand, type Reply, takeCommand } from './command-desk.ts'
import { createHeatMeter, type HeatMeter, integrateMeter } from './heat-meter.ts'
import { createNodeClock, type NodeClock, showTime } from './node-clock.ts'
import { createReportClock, hurry, type ReportClock } from './report-clock.ts'
import { createRoomSensors, type RoomSensor } from './room-sensor.ts'
import { createStationDevice, type StationDevice } from './station-device.ts'
import { advanceActuator, type Pace } from './valve-actuator.ts'
import { createValveDevice, healthOf, type ValveDevice } from './valve-device.ts'

/** A child on the concentrator's bus, or the concentrator itself; its place is its slot in the report clock. */
export type Child =
  | { readonly kind: 'concentrator'; readonly serial: string }
  | { readonly kind: 'station'; readonly serial: string; readonly device: StationDevice }
  | { readonly kind: 'valve'; readonly serial: string; readonly device: ValveDevice }
  | { readonly kind: 'heat-meter'; readonly serial: string; readonly device: HeatMeter }
  | { readonly kind: 'room-sensor'; readonly serial: string; readonly device: RoomSensor }

/** A station's concentrator: all its children, and the numbering of what it sends. No I/O. */
export interface Concentrator {
  readonly serial: string
  readonly plant: StationPlant
  readonly faults: FaultBoard
  readonly firmware: Firmware
  readonly children: readonly Child[]
  /** Place of each valve among the children. */
  readonly placeOf: ReadonlyMap<string, number>
  readonly valves: ReadonlyMap<string, ValveDevice>
  readonly meters: readonly HeatMeter[]
  readonly rooms: readonly RoomSensor[]
  readonly station: StationDevice
  readonly reports: ReportClock
  readonly clock: NodeClock
  /** What frozen devices hold, by serial. */
  readonly held: Map<string, Held>
  /** Source of sensor noise and report jitter, which goes on where a snapshot left it. */
  noise: ResumableRandom
  /** How often it was switched on; the numbers below begin anew with each time. */
  boot: number
  /** Number of the next telemetry message, and of the next reply; two counters, so that telemetry has no gaps. */
  telemetrySeq: number
  replySeq: number
  /** Of the next message with frames of the bus. */
  rawSeq: number
}

export interface ConcentratorOptions {
  readonly seed: number
  readonly boot: number
  readonly pace: Pace
  readonly firmware: Firmware
  readonly faults: FaultBoard
  readonly nowMs: number
}

/** FNV-1a, 32 bits: a number for a serial, whatever it is written in. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Keeps the draws of noise apart from those of each device's constant errors. */
const NOISE = 0x5bd1e995

export function createConcentrator(plant: StationPlant, options: ConcentratorOptions): Concentrator {
  const { spec } = plant
  const { seed, boot, pace, firmware, faults, nowMs } = options
  const self = seed ^ hashText(spec.stationSerial)
  const identity = createRandom(self)
  const concentrator = { noise: createResumableRandom(self ^ NOISE) }
  const noise = () => concentrator.noise.draw()
  const onBattery = firmware.awakeS !== undefined
  const motors = { pace, onBattery, identity, noise }
  const valves = spec.units.map((unit, index) =>
    createValveDevice(unit, index, { ...motors, hasProbe: spec.watering?.places[index]?.hasProbe ?? false }),
  )
  const meters = spec.buildings.flatMap(({ meter, node, units }) => {
    const designKgS = units.reduce((sum, unit) => sum + (spec.units[unit]?.designFlow ?? 0), 0)
    return meter === undefined ? [] : createHeatMeter(meter.serial, node, designKgS, identity, noise)
  })
  const rooms = createRoomSensors(plant, identity, noise)
  const station = createStationDevice(spec, identity, noise)
  const children: Child[] = [
    { kind: 'concentrator', serial: spec.concentratorSerial },
    { kind: 'station', serial: station.serial, device: station },
    ...valves.map((device): Child => ({ kind: 'valve', serial: device.serial, device })),
    ...meters.map((device): Child => ({ kind: 'heat-meter', serial: device.serial, device })),
    ...rooms.map((device): Child => ({ kind: 'room-sensor', serial: device.serial, device })),
  ]
  return Object.assign(concentrator, {
    serial: spec.concentratorSerial,
    plant,
    faults,
    firmware,
    children,
    placeOf: new Map(children.map(({ serial }, place) => [serial, place])),
    valves: new Map(valves.map((valve) => [valve.serial, valve])),
    meters,
    rooms,
    station,
    reports: createReportClock(children.length),
    clock: createNodeClock(firmware.clockDriftPpm, identity, nowMs),
    held: new Map<string, Held>(),
    boot,
    telemetrySeq: 0,
    replySeq: 0,
    rawSeq: 0,
  })
}

/** How often a kind reports, ms of the wire's clock. */
export const periodMs = ({ firmware }: Concentrator, kind: DeviceKind): number =>
  firmware.periodS[kind] * 1000

/** Switches the concentrator on again: numbers begin anew, and nobody has reported yet. */
export function rebootConcentrator(concentrator: Concentrator, boot: number): void {
  concentrator.boot = boot
  concentrator.telemetrySeq = 0
  concentrator.replySeq = 0
  concentrator.rawSeq = 0
  concentrator.reports.dueMs.fill(Number.NaN)
}

/** Stamps come from the concentrator's own clock. */
const numberReply = (concentrator: Concentrator, reply: Reply): ReplyMessage => ({
  v: 1,
  boot: concentrator.boot,
  seq: concentrator.replySeq++,
  ...reply,
  ts: showTime(concentrator.clock, reply.ts),
})

/** Handles what came on down/cmd, already parsed from JSON, and answers the replies to send at once. */
export function receiveCommand(
  concentrator: Concentrator,
  message: unknown,
  nowMs: number,
  simTimeS: number,
): ReplyMessage[] {
  const { valves, faults } = concentrator
  const replies = takeCommand(valves, message, { faults, nowMs, simTimeS })
  return replies.map((reply) => numberReply(concentrator, reply))
}

/** The pump house runs and its master valve is open while any valve is, or is on its way, as far as it knows. */
function runMaster({ plant, valves }: Concentrator): void {
  if (plant.spec.watering === undefined) return
  const isOpen = [...valves.values()].some(({ actuator }) => actuator.position > 0 || actuator.target > 0)
  setMaster(plant, isOpen)
}

/** Runs motors up to a simulated instant and puts the stems where they now stand. Before the plant's step. */
export function runMotors(concentrator: Concentrator, nowMs: number, simTimeS: number): ReplyMessage[] {
  const { faults, plant } = concentrator
  const replies: ReplyMessage[] = []
  for (const valve of concentrator.valves.values()) {
    if (valve.waiting.length > 0 && nowMs <= valve.awakeUntilMs) {
      for (const reply of deliverWaiting(valve, { faults, nowMs, simTimeS })) {
        replies.push(numberReply(concentrator, reply))
      }
    }
    if (valve.actuator.move === undefined && valve.activeCommand === undefined) continue
    const before = valve.actuator.position
    const event = advanceActuator(valve.actuator, simTimeS, healthOf(valve, faults))
    if (event !== 'idle') {
      moveStem(plant, valve.index, valve.actuator.stem)
      if (valve.battery !== undefined) {
        takeForTravel(valve.battery, Math.abs(valve.actuator.position - before))
      }
    }
    if (event === 'arrived' || event === 'stalled') {
      hurry(concentrator.reports, concentrator.placeOf.get(valve.serial) ?? 0)
    }
    for (const reply of followCommand(valve, event, nowMs)) replies.push(numberReply(concentrator, reply))
  }
  runMaster(concentrator)
  return replies
}

/** Counts heat and volume of a simulated span. After the plant's step. */
export function runMeters(concentrator: Concentrator, simTimeS: number, durationS: number): void {
  const { meters, plant, faults } = concentrator
  for (const meter of meters) integrateMeter(meter, plant, faults.of(meter.serial), simTimeS, durationS)
}
