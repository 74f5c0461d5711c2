import { type CommandMessage, commandMessage, type ReplyMessage, replyCodes } from '@isotherm/contract/mqtt'
import { openingRatio } from '@isotherm/kernel/quantities'
import type { FaultBoard } from '../faults/fault-board.ts'
import { isLow } from './battery.ts'
import { type ActuatorEvent, startMove } from './valve-actuator.ts'
import { isSilent, type ValveDevice } from './valve-device.ts'

/** A reply before the concentrator numbers it. */
export type Reply = Omit<ReplyMessage, 'v' | 'boot' | 'seq'>

/** How many commands' replies each valve remembers, to answer a repeat with the same words. */
export const REMEMBERED_COMMANDS = 32
/** The concentrator gives up on a child that does not answer on its bus after this, ms. */
const BUS_TIMEOUT_MS = 3000

function remember(valve: ValveDevice, reply: Reply): Reply {
  valve.replies.delete(reply.id)
  valve.replies.set(reply.id, reply)
  for (const id of valve.replies.keys()) {
    if (valve.replies.size <= REMEMBERED_COMMANDS) break
    valve.replies.delete(id)
  }
  return reply
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 64

/** A refusal of a command that breaks the schema; none when it does not even say who it is for. */
function refuseMalformed(message: unknown, nowMs: number): Reply[] {
  if (typeof message !== 'object' || message === null) return []
  const id = 'id' in message ? message.id : undefined
  const dev = 'dev' in message ? message.dev : undefined
  if (!isText(id) || !isText(dev)) return []
  return [{ id, dev, stage: 'accepted', code: replyCodes.badArguments, msg: 'bad arguments', ts: nowMs }]
}

const EXPIRED = { code: replyCodes.expired, msg: 'expired' }

function refusalOf(
  command: CommandMessage,
  valve: ValveDevice,
  nowMs: number,
): { code: number; msg: string } | undefined {
  if (command.exp <= nowMs) return EXPIRED
  if (command.rev <= valve.rev) return { code: replyCodes.superseded, msg: `revision ${valve.rev} is known` }
  if (valve.battery !== undefined && isLow(valve.battery)) {
    return { code: replyCodes.lowBattery, msg: 'low battery' }
  }
  return undefined
}

/** A newer command ends the one that is still running. */
function supersede(valve: ValveDevice, nowMs: number): Reply[] {
  const id = valve.activeCommand
  if (id === undefined) return []
  valve.activeCommand = undefined
  const msg = 'a newer command came'
  return [
    remember(valve, { id, dev: valve.serial, stage: 'done', code: replyCodes.superseded, msg, ts: nowMs }),
  ]
}

/** Where and when a command meets its valve: the wire's clock in Unix ms, the plant's in simulated seconds. */
export interface Moment {
  readonly faults: FaultBoard
  readonly nowMs: number
  readonly simTimeS: number
}

/** Hands a command to its valve; a refused one keeps the valve as it is. */
function deliver(valve: ValveDevice, command: CommandMessage, moment: Moment): Reply[] {
  const { faults, nowMs, simTimeS } = moment
  const base = { id: command.id, dev: command.dev, ts: nowMs }
  const refusal = refusalOf(command, valve, nowMs)
  if (refusal !== undefined) return [remember(valve, { ...base, stage: 'accepted', ...refusal })]
  const replies = supersede(valve, nowMs)
  valve.rev = command.rev
  valve.activeCommand = command.id
  valve.busGivesUpMs = isSilent(valve, faults) ? nowMs + BUS_TIMEOUT_MS : undefined
  if (valve.busGivesUpMs === undefined)
    startMove(valve.actuator, openingRatio(command.args.opening / 100), simTimeS)
  valve.isRunningTold = false
  return [...replies, remember(valve, { ...base, stage: 'accepted', code: replyCodes.ok })]
}

/**
 * Keeps a command for a valve that sleeps; the concentrator says nothing before the valve has it, but refuses what
 * expired: a valve that never wakes would gather commands for good.
 */
function keepForLater(valve: ValveDevice, command: CommandMessage, nowMs: number): Reply[] {
  const { waiting } = valve
  if (!waiting.some((other) => other.id === command.id)) waiting.push(command)
  const expired = waiting.filter(({ exp }) => exp <= nowMs)
  waiting.splice(0, waiting.length, ...waiting.filter(({ exp }) => exp > nowMs))
  return expired.map(({ id, dev }) => remember(valve, { id, dev, stage: 'accepted', ...EXPIRED, ts: nowMs }))
}

/**
 * Takes a command for one of the valves and answers its first reply. A repeated id gets the last reply again. A valve
 * on battery gets it when it next wakes.
 */
export function takeCommand(
  valves: ReadonlyMap<string, ValveDevice>,
  message: unknown,
  moment: Moment,
): Reply[] {
  const { nowMs } = moment
  const parsed = commandMessage.safeParse(message)
  if (!parsed.success) return refuseMalformed(message, nowMs)
  const command = parsed.data
  const valve = valves.get(command.dev)
  if (valve === undefined) {
    const base = { id: command.id, dev: command.dev, ts: nowMs }
    return [{ ...base, stage: 'accepted', code: replyCodes.noSuchChild, msg: 'no such child' }]
  }
  const earlier = valve.replies.get(command.id)
  if (earlier !== undefined) return [{ ...earlier, ts: nowMs }]
  const isAsleep = valve.battery !== undefined && nowMs > valve.awakeUntilMs
  return isAsleep ? keepForLater(valve, command, nowMs) : deliver(valve, command, moment)
}

/** A valve that just woke gets what waited for it, in order. */
export const deliverWaiting = (valve: ValveDevice, moment: Moment): Reply[] =>
  valve.waiting.splice(0).flatMap((command) => deliver(valve, command, moment))

const shownOpening = (valve: ValveDevice): number => Math.round(valve.actuator.position * 100)

/** What a valve's motor or silence has to say about its running command, if anything. */
export function followCommand(valve: ValveDevice, event: ActuatorEvent, nowMs: number): Reply[] {
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
  if (event === 'moving' && !valve.isRunningTold) {
    valve.isRunningTold = true
    return [remember(valve, { ...base, stage: 'running', code: replyCodes.ok })]
  }
  if (event !== 'arrived' && event !== 'stalled') return []
  valve.activeCommand = undefined
  const res = { opening: shownOpening(valve) }
  return event === 'arrived'
    ? [remember(valve, { ...base, stage: 'done', code: replyCodes.ok, res })]
    : [remember(valve, { ...base, stage: 'done', code: replyCodes.deviceFailure, msg: 'motor blocked', res })]
}
