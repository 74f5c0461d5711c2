import type { DeviceKind } from '@isotherm/contract/devices'
import { type ReadRequest, type ReplyMessage, readRequest, replyCodes } from '@isotherm/contract/mqtt'
import type { ResumableRandom } from '@isotherm/kernel/random'
import type { FrozenValues } from '../../faults/distort.ts'
import type { FaultBoard } from '../../faults/fault-board.ts'
import { moveStem, type StationPlant, setMaster } from '../../plant/station-plant.ts'
import type { Firmware } from '../../scenarios/firmware.ts'
import { takeForTravel } from '../models/battery.ts'
import { EXPIRED, type Reply } from '../models/command-memory.ts'
import type { FieldSensor } from '../models/field-sensor.ts'
import { type HeatMeter, integrateMeter } from '../models/heat-meter.ts'
import type { PumpController } from '../models/pump-controller.ts'
import type { RoomSensor } from '../models/room-sensor.ts'
import type { StationDevice } from '../models/station-device.ts'
import type { SupplyController } from '../models/supply-controller.ts'
import { advanceActuator } from '../models/valve-actuator.ts'
import { healthOf, type ValveDevice } from '../models/valve-device.ts'
import { type GatewayClock, showTime } from './gateway-clock.ts'
import { advancePumpCommand } from './pump-commands.ts'
import { isUnresponsive } from './read-child.ts'
import { makeDue, type ReportClock } from './report-clock.ts'
import { advanceSupplyCommand } from './supply-commands.ts'
import { advanceValveCommand, closeByItself, deliverWaiting, handleCommand } from './valve-commands.ts'

/** A device of a gateway, including the gateway itself; its index is its slot in the report clock. */
export type Child =
  | { readonly kind: 'concentrator'; readonly serial: string }
  | { readonly kind: 'station'; readonly serial: string; readonly device: StationDevice }
  | { readonly kind: 'valve'; readonly serial: string; readonly device: ValveDevice }
  | { readonly kind: 'heat-meter'; readonly serial: string; readonly device: HeatMeter }
  | { readonly kind: 'room-sensor'; readonly serial: string; readonly device: RoomSensor }
  | { readonly kind: 'sensor'; readonly serial: string; readonly device: FieldSensor }

/**
 * An MQTT client: a station's concentrator with all its children, or a valve with its own link, which is its only child. Holds
 * the message numbers. No I/O.
 */
export interface FieldGateway {
  readonly serial: string
  readonly plant: StationPlant
  readonly faults: FaultBoard
  readonly firmware: Firmware
  readonly children: readonly Child[]
  /** Place of each child, by its serial. */
  readonly placeOf: ReadonlyMap<string, number>
  readonly valves: ReadonlyMap<string, ValveDevice>
  /** Pump controller of the concentrator's heat station. */
  readonly pump: PumpController | undefined
  /** Controller of the station's supply temperature. */
  readonly supply: SupplyController | undefined
  readonly meters: readonly HeatMeter[]
  readonly rooms: readonly RoomSensor[]
  /** Periods of a device with its own link, s; undefined for a concentrator, which never sleeps. */
  readonly ownLink: Firmware['ownLink'] | undefined
  readonly reports: ReportClock
  readonly clock: GatewayClock
  /** Last values of sensors that are frozen by a fault, by serial. */
  readonly frozen: Map<string, FrozenValues>
  /** Source of sensor noise and report jitter; its state is saved in snapshots. */
  noise: ResumableRandom
  /** Number of boots; the numbers below restart with each boot. */
  boot: number
  /** Number of the next telemetry message, and of the next reply; two counters, so that telemetry has no gaps. */
  telemetrySeq: number
  replySeq: number
  /** Number of the next message with frames of the bus. */
  rawSeq: number
}

/** Whether a gateway is awake. A valve with its own link sleeps unless it listens or runs a command. */
export const isAwake = ({ ownLink, valves }: FieldGateway, nowMs: number): boolean =>
  ownLink === undefined ||
  [...valves.values()].some(
    ({ awakeUntilMs, activeCommand }) => nowMs <= awakeUntilMs || activeCommand !== undefined,
  )

/** Report period of a kind, ms of wire time. */
export const periodMs = ({ firmware, ownLink }: FieldGateway, kind: DeviceKind): number =>
  1000 * (ownLink?.periodS ?? firmware.periodS[kind])

/** Reboots a gateway: message numbers and the report clock restart. */
export function rebootGateway(gateway: FieldGateway, boot: number): void {
  gateway.boot = boot
  gateway.telemetrySeq = 0
  gateway.replySeq = 0
  gateway.rawSeq = 0
  gateway.reports.dueMs.fill(Number.NaN)
}

/** Adds the boot, the next number, and the time of the gateway's own clock. */
const numberReply = (gateway: FieldGateway, reply: Reply): ReplyMessage => ({
  v: 1,
  boot: gateway.boot,
  seq: gateway.replySeq++,
  ...reply,
  ts: showTime(gateway.clock, reply.ts),
})

/**
 * Makes the report of a device due, which is sent with the next step. A sleeping device cannot be read, and one without
 * power or radio does not answer.
 */
function answerRead(gateway: FieldGateway, { id, dev, exp }: ReadRequest, nowMs: number): Reply[] {
  const base = { id, dev, ts: nowMs }
  const place = gateway.placeOf.get(dev)
  const child = place === undefined ? undefined : gateway.children[place]
  if (exp <= nowMs) return [{ ...base, stage: 'accepted', ...EXPIRED }]
  if (place === undefined || child === undefined)
    return [{ ...base, stage: 'accepted', code: replyCodes.noSuchChild, msg: 'no such child' }]
  const sleeps =
    child.kind === 'valve' && child.device.battery !== undefined && nowMs > child.device.awakeUntilMs
  if (sleeps || child.kind === 'room-sensor')
    return [{ ...base, stage: 'accepted', code: replyCodes.unsupported, msg: 'it reports by itself' }]
  const accepted: Reply = { ...base, stage: 'accepted', code: replyCodes.ok }
  if (isUnresponsive(gateway, child))
    return [accepted, { ...base, stage: 'done', code: replyCodes.busTimeout, msg: 'no answer on the bus' }]
  makeDue(gateway.reports, place)
  return [accepted, { ...base, stage: 'done', code: replyCodes.ok }]
}

/** Handles a parsed message from down/cmd and returns the immediate replies. */
export function receiveCommand(
  gateway: FieldGateway,
  message: unknown,
  nowMs: number,
  simTimeS: number,
): ReplyMessage[] {
  const read = readRequest.safeParse(message)
  const replies = read.success
    ? answerRead(gateway, read.data, nowMs)
    : handleCommand(gateway, message, { faults: gateway.faults, nowMs, simTimeS })
  return replies.map((reply) => numberReply(gateway, reply))
}

/** Opens the master valve of a pump house while any of its valves is open or moving. */
function runMaster({ plant, valves, faults }: FieldGateway): void {
  if (plant.spec.watering === undefined || faults.find(plant.spec.stationSerial, 'stuck')) return
  const isOpen = [...valves.values()].some(({ actuator }) => actuator.position > 0 || actuator.target > 0)
  setMaster(plant, isOpen)
}

/** Runs the ramp of the station's pump. */
function runPump(gateway: FieldGateway, nowMs: number, simTimeS: number): ReplyMessage[] {
  const { pump, plant } = gateway
  if (pump === undefined) return []
  const { replies, isOver } = advancePumpCommand(pump, plant, nowMs, simTimeS)
  if (isOver) makeDue(gateway.reports, gateway.placeOf.get(pump.serial) ?? 0)
  return replies.map((reply) => numberReply(gateway, reply))
}

/** Applies a commanded offset of the supply temperature. */
function runSupply(gateway: FieldGateway, nowMs: number): ReplyMessage[] {
  const { supply, plant } = gateway
  if (supply?.activeCommand === undefined) return []
  const replies = advanceSupplyCommand(supply, plant, nowMs)
  if (replies.length > 0) makeDue(gateway.reports, gateway.placeOf.get(supply.serial) ?? 0)
  return replies.map((reply) => numberReply(gateway, reply))
}

/** Runs motors up to a simulated instant and sets the stem positions. Call before the plant's step. */
export function runMotors(gateway: FieldGateway, nowMs: number, simTimeS: number): ReplyMessage[] {
  const { faults, plant } = gateway
  const replies: ReplyMessage[] = []
  for (const valve of gateway.valves.values()) {
    closeByItself(valve, nowMs, simTimeS)
    if (valve.waiting.length > 0 && nowMs <= valve.awakeUntilMs) {
      for (const reply of deliverWaiting(valve, { faults, nowMs, simTimeS })) {
        replies.push(numberReply(gateway, reply))
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
      makeDue(gateway.reports, gateway.placeOf.get(valve.serial) ?? 0)
    }
    for (const reply of advanceValveCommand(valve, event, nowMs)) replies.push(numberReply(gateway, reply))
  }
  runMaster(gateway)
  return [...replies, ...runPump(gateway, nowMs, simTimeS), ...runSupply(gateway, nowMs)]
}

/** Adds heat and volume of a simulated span to the meters. Call after the plant's step. */
export function runMeters(gateway: FieldGateway, simTimeS: number, durationS: number): void {
  const { meters, plant, faults } = gateway
  for (const meter of meters) integrateMeter(meter, plant, faults.of(meter.serial), simTimeS, durationS)
}
