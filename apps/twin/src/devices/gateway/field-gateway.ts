import type { DeviceKind } from '@isotherm/contract/devices'
import type { ReplyMessage } from '@isotherm/contract/mqtt'
import type { ResumableRandom } from '@isotherm/kernel/random'
import type { Held } from '../../faults/distort.ts'
import type { FaultBoard } from '../../faults/fault-board.ts'
import { moveStem, type StationPlant, setMaster } from '../../plant/station-plant.ts'
import type { Firmware } from '../../scenarios/firmware.ts'
import { takeForTravel } from '../models/battery.ts'
import type { Reply } from '../models/command-memory.ts'
import { type HeatMeter, integrateMeter } from '../models/heat-meter.ts'
import type { PumpController } from '../models/pump-controller.ts'
import type { RoomSensor } from '../models/room-sensor.ts'
import type { StationDevice } from '../models/station-device.ts'
import { advanceActuator } from '../models/valve-actuator.ts'
import { healthOf, type ValveDevice } from '../models/valve-device.ts'
import { deliverWaiting, followCommand, takeCommand } from './command-desk.ts'
import { type NodeClock, showTime } from './gateway-clock.ts'
import { followPump } from './pump-desk.ts'
import { hurry, type ReportClock } from './report-clock.ts'

/** A device that a node speaks for, itself among them; its place is its slot in the report clock. */
export type Child =
  | { readonly kind: 'concentrator'; readonly serial: string }
  | { readonly kind: 'station'; readonly serial: string; readonly device: StationDevice }
  | { readonly kind: 'valve'; readonly serial: string; readonly device: ValveDevice }
  | { readonly kind: 'heat-meter'; readonly serial: string; readonly device: HeatMeter }
  | { readonly kind: 'room-sensor'; readonly serial: string; readonly device: RoomSensor }

/**
 * A client of the broker: a station's concentrator with all its children, or a valve with a link of its own, which is
 * its only child; and the numbering of what it sends. No I/O.
 */
export interface FieldNode {
  readonly serial: string
  readonly plant: StationPlant
  readonly faults: FaultBoard
  readonly firmware: Firmware
  readonly children: readonly Child[]
  /** Place of each child, by its serial. */
  readonly placeOf: ReadonlyMap<string, number>
  readonly valves: ReadonlyMap<string, ValveDevice>
  /** Of the heat station whose concentrator it is. */
  readonly pump: PumpController | undefined
  readonly meters: readonly HeatMeter[]
  readonly rooms: readonly RoomSensor[]
  /** How a device with a link of its own reports, s; undefined for a concentrator, which never sleeps. */
  readonly ownLink: Firmware['ownLink'] | undefined
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

/** Whether a node is on the air: a valve with a link of its own is while it listens or has a command to end. */
export const isAwake = ({ ownLink, valves }: FieldNode, nowMs: number): boolean =>
  ownLink === undefined ||
  [...valves.values()].some(
    ({ awakeUntilMs, activeCommand }) => nowMs <= awakeUntilMs || activeCommand !== undefined,
  )

/** How often a kind reports, ms of the wire's clock. */
export const periodMs = ({ firmware, ownLink }: FieldNode, kind: DeviceKind): number =>
  1000 * (ownLink?.periodS ?? firmware.periodS[kind])

/** Switches a node on again: numbers begin anew, and nobody has reported yet. */
export function rebootNode(node: FieldNode, boot: number): void {
  node.boot = boot
  node.telemetrySeq = 0
  node.replySeq = 0
  node.rawSeq = 0
  node.reports.dueMs.fill(Number.NaN)
}

/** Stamps come from the node's own clock. */
const numberReply = (node: FieldNode, reply: Reply): ReplyMessage => ({
  v: 1,
  boot: node.boot,
  seq: node.replySeq++,
  ...reply,
  ts: showTime(node.clock, reply.ts),
})

/** Handles what came on down/cmd, already parsed from JSON, and answers the replies to send at once. */
export function receiveCommand(
  node: FieldNode,
  message: unknown,
  nowMs: number,
  simTimeS: number,
): ReplyMessage[] {
  const replies = takeCommand(node, message, { faults: node.faults, nowMs, simTimeS })
  return replies.map((reply) => numberReply(node, reply))
}

/** The pump house runs and its master valve is open while any valve is, or is on its way, as far as it knows. */
function runMaster({ plant, valves }: FieldNode): void {
  if (plant.spec.watering === undefined) return
  const isOpen = [...valves.values()].some(({ actuator }) => actuator.position > 0 || actuator.target > 0)
  setMaster(plant, isOpen)
}

/** Runs the station's pump on its way to a head. */
function runPump(node: FieldNode, nowMs: number, simTimeS: number): ReplyMessage[] {
  const { pump, plant } = node
  if (pump === undefined) return []
  const { replies, isOver } = followPump(pump, plant, nowMs, simTimeS)
  if (isOver) hurry(node.reports, node.placeOf.get(pump.serial) ?? 0)
  return replies.map((reply) => numberReply(node, reply))
}

/** Runs motors up to a simulated instant and puts the stems where they now stand. Before the plant's step. */
export function runMotors(node: FieldNode, nowMs: number, simTimeS: number): ReplyMessage[] {
  const { faults, plant } = node
  const replies: ReplyMessage[] = []
  for (const valve of node.valves.values()) {
    if (valve.waiting.length > 0 && nowMs <= valve.awakeUntilMs) {
      for (const reply of deliverWaiting(valve, { faults, nowMs, simTimeS })) {
        replies.push(numberReply(node, reply))
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
      hurry(node.reports, node.placeOf.get(valve.serial) ?? 0)
    }
    for (const reply of followCommand(valve, event, nowMs)) replies.push(numberReply(node, reply))
  }
  runMaster(node)
  return [...replies, ...runPump(node, nowMs, simTimeS)]
}

/** Counts heat and volume of a simulated span. After the plant's step. */
export function runMeters(node: FieldNode, simTimeS: number, durationS: number): void {
  const { meters, plant, faults } = node
  for (const meter of meters) integrateMeter(meter, plant, faults.of(meter.serial), simTimeS, durationS)
}
