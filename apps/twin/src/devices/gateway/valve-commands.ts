import { type CommandMessage, orderMessage, replyCodes } from '@isotherm/contract/mqtt'
import { openingRatio } from '@isotherm/kernel/quantities'
import type { StationPlant } from '../../plant/station-plant.ts'
import { isLow } from '../models/battery.ts'
import {
  BUS_TIMEOUT_MS,
  type CommandContext,
  EXPIRED,
  type Refusal,
  type Reply,
  refuseOutdated,
  remember,
  supersede,
} from '../models/command-memory.ts'
import type { PumpController } from '../models/pump-controller.ts'
import type { SupplyController } from '../models/supply-controller.ts'
import { type ActuatorEvent, startMove } from '../models/valve-actuator.ts'
import { isSilent, type ValveDevice } from '../models/valve-device.ts'
import { handlePumpCommand } from './pump-commands.ts'
import { handleSupplyCommand } from './supply-commands.ts'

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 64

/** Refusal of an invalid command; none if it does not name a device. */
function refuseMalformed(message: unknown, nowMs: number): Reply[] {
  if (typeof message !== 'object' || message === null) return []
  const id = 'id' in message ? message.id : undefined
  const dev = 'dev' in message ? message.dev : undefined
  if (!isText(id) || !isText(dev)) return []
  return [{ id, dev, stage: 'accepted', code: replyCodes.badArguments, msg: 'bad arguments', ts: nowMs }]
}

function refusalOf(command: CommandMessage, valve: ValveDevice, nowMs: number): Refusal | undefined {
  const outdated = refuseOutdated(command, valve, nowMs)
  if (outdated) return outdated
  if (valve.battery !== undefined && isLow(valve.battery)) {
    return { code: replyCodes.lowBattery, msg: 'low battery' }
  }
  return undefined
}

/** Passes a command to its valve; a refused command does not move it. */
function deliver(valve: ValveDevice, command: CommandMessage, context: CommandContext): Reply[] {
  const { faults, nowMs, simTimeS } = context
  const base = { id: command.id, dev: command.dev, ts: nowMs }
  const refusal = refusalOf(command, valve, nowMs)
  if (refusal !== undefined) return [remember(valve, { ...base, stage: 'accepted', ...refusal })]
  const replies = supersede(valve, nowMs)
  valve.rev = command.rev
  valve.activeCommand = command.id
  valve.busGivesUpMs = isSilent(valve, faults) ? nowMs + BUS_TIMEOUT_MS : undefined
  if (valve.busGivesUpMs === undefined) {
    const { maxSec } = command.args
    valve.closesAtMs = maxSec === undefined ? undefined : nowMs + maxSec * 1000
    startMove(valve.actuator, openingRatio(command.args.opening / 100), simTimeS)
  }
  valve.isRunningReported = false
  return [...replies, remember(valve, { ...base, stage: 'accepted', code: replyCodes.ok })]
}

/**
 * Queues a command for a sleeping valve. The concentrator only replies when the valve has received it, but refuses expired
 * commands, so that the queue of a valve that never wakes does not grow.
 */
function queueCommand(valve: ValveDevice, command: CommandMessage, nowMs: number): Reply[] {
  const { waiting } = valve
  if (!waiting.some((other) => other.id === command.id)) waiting.push(command)
  const expired = waiting.filter(({ exp }) => exp <= nowMs)
  waiting.splice(0, waiting.length, ...waiting.filter(({ exp }) => exp > nowMs))
  return expired.map(({ id, dev }) => remember(valve, { id, dev, stage: 'accepted', ...EXPIRED, ts: nowMs }))
}

/** Devices of a gateway that accept commands: its valves, and the pump and supply of the concentrator's station. */
export interface CommandTargets {
  readonly valves: ReadonlyMap<string, ValveDevice>
  readonly pump: PumpController | undefined
  readonly supply: SupplyController | undefined
  readonly plant: StationPlant
}

/**
 * Handles a command to a valve or the station and returns the first reply. A repeated id gets the last reply again. A sleeping
 * valve gets the command when it next wakes.
 */
export function handleCommand(
  { valves, pump, supply, plant }: CommandTargets,
  message: unknown,
  context: CommandContext,
): Reply[] {
  const { nowMs } = context
  const parsed = orderMessage.safeParse(message)
  if (!parsed.success) return refuseMalformed(message, nowMs)
  const command = parsed.data
  const valve = valves.get(command.dev)
  const isStation = pump?.serial === command.dev
  if (pump && isStation && command.do === 'pump.set') return handlePumpCommand(pump, plant, command, context)
  if (supply && isStation && command.do === 'supply.set') return handleSupplyCommand(supply, command, context)
  if (valve === undefined || command.do !== 'valve.set') {
    const refusal =
      valve || isStation
        ? { code: replyCodes.unsupported, msg: 'not understood' }
        : { code: replyCodes.noSuchChild, msg: 'no such child' }
    return [{ id: command.id, dev: command.dev, ts: nowMs, stage: 'accepted', ...refusal }]
  }
  const earlier = valve.replies.get(command.id)
  if (earlier !== undefined) return [{ ...earlier, ts: nowMs }]
  const isAsleep = valve.battery !== undefined && nowMs > valve.awakeUntilMs
  return isAsleep ? queueCommand(valve, command, nowMs) : deliver(valve, command, context)
}

/**
 * Closes a valve when the open time of its command (`maxSec`) is over. No command asks for this, so there is no
 * reply.
 */
export function closeByItself(valve: ValveDevice, nowMs: number, simTimeS: number): void {
  if (valve.closesAtMs === undefined || nowMs < valve.closesAtMs) return
  valve.closesAtMs = undefined
  startMove(valve.actuator, openingRatio(0), simTimeS)
}

/** Delivers the queued commands to a valve that woke up, in order. */
export const deliverWaiting = (valve: ValveDevice, context: CommandContext): Reply[] =>
  valve.waiting.splice(0).flatMap((command) => deliver(valve, command, context))

const shownOpening = (valve: ValveDevice): number => Math.round(valve.actuator.position * 100)

/** Replies to the running command after an event of the motor or a timeout. */
export function advanceValveCommand(valve: ValveDevice, event: ActuatorEvent, nowMs: number): Reply[] {
  const id = valve.activeCommand
  if (id === undefined) return []
  const base = { id, dev: valve.serial, ts: nowMs }
  if (valve.busGivesUpMs !== undefined) {
    if (nowMs < valve.busGivesUpMs) return []
    valve.busGivesUpMs = undefined
    valve.activeCommand = undefined
    return [
      remember(valve, { ...base, stage: 'done', code: replyCodes.busTimeout, msg: 'no answer on the bus' }),
    ]
  }
  if (event === 'moving' && !valve.isRunningReported) {
    valve.isRunningReported = true
    return [remember(valve, { ...base, stage: 'running', code: replyCodes.ok })]
  }
  if (event !== 'arrived' && event !== 'stalled') return []
  valve.activeCommand = undefined
  const res = { opening: shownOpening(valve) }
  return event === 'arrived'
    ? [remember(valve, { ...base, stage: 'done', code: replyCodes.ok, res })]
    : [remember(valve, { ...base, stage: 'done', code: replyCodes.deviceFailure, msg: 'motor blocked', res })]
}
