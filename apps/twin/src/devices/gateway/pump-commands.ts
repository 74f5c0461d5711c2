import { isHeadAt } from '@isotherm/contract/command'
import { type PumpMessage, replyCodes } from '@isotherm/contract/mqtt'
import { pumpNow, type StationPlant, settleFlows } from '../../plant/station-plant.ts'
import {
  BUS_TIMEOUT_MS,
  type CommandContext,
  type Reply,
  refuseOutdated,
  remember,
  supersede,
} from '../models/command-memory.ts'
import { advanceRamp, type PumpController, startRamp } from '../models/pump-controller.ts'

/** Handles a command to a station's pump and returns the first reply. A repeated id gets the last reply again. */
export function handlePumpCommand(
  pump: PumpController,
  plant: StationPlant,
  command: PumpMessage,
  { faults, nowMs, simTimeS }: CommandContext,
): Reply[] {
  const earlier = pump.replies.get(command.id)
  if (earlier !== undefined) return [{ ...earlier, ts: nowMs }]
  const base = { id: command.id, dev: command.dev, ts: nowMs }
  const refusal = refuseOutdated(command, pump, nowMs)
  if (refusal !== undefined) return [remember(pump, { ...base, stage: 'accepted', ...refusal })]
  const replies = supersede(pump, nowMs)
  pump.rev = command.rev
  pump.activeCommand = command.id
  pump.isRunningReported = false
  const isSilent = faults.find(pump.serial, 'offline') !== undefined
  pump.busGivesUpMs = isSilent ? nowMs + BUS_TIMEOUT_MS : undefined
  if (!isSilent) startRamp(pump, plant, 1000 * command.args.head, simTimeS)
  return [...replies, remember(pump, { ...base, stage: 'accepted', code: replyCodes.ok })]
}

/** Result of a command after its ramp: failed if the pump reached the end of its speed range. */
function toResult(plant: StationPlant, requestedPa: number) {
  settleFlows(plant)
  const head = Number((pumpNow(plant).headPa / 1000).toFixed(1))
  return isHeadAt(head, requestedPa / 1000)
    ? { code: replyCodes.ok, res: { head } }
    : { code: replyCodes.deviceFailure, msg: 'the pump is at the end of its speed', res: { head } }
}

/** Runs the pump's ramp up to a simulated instant; returns the replies to the running command. */
export function advancePumpCommand(
  pump: PumpController,
  plant: StationPlant,
  nowMs: number,
  simTimeS: number,
): { readonly replies: readonly Reply[]; readonly isOver: boolean } {
  const state = advanceRamp(pump, plant, simTimeS)
  const { activeCommand: id, busGivesUpMs } = pump
  if (id === undefined) return { replies: [], isOver: state === 'arrived' }
  const base = { id, dev: pump.serial, ts: nowMs }
  if (busGivesUpMs !== undefined) {
    if (nowMs < busGivesUpMs) return { replies: [], isOver: false }
    pump.busGivesUpMs = undefined
    pump.activeCommand = undefined
    const silent = { code: replyCodes.busTimeout, msg: 'no answer on the bus' }
    return { replies: [remember(pump, { ...base, stage: 'done', ...silent })], isOver: false }
  }
  if (state === 'moving' && !pump.isRunningReported) {
    pump.isRunningReported = true
    return { replies: [remember(pump, { ...base, stage: 'running', code: replyCodes.ok })], isOver: false }
  }
  if (state !== 'arrived') return { replies: [], isOver: false }
  pump.activeCommand = undefined
  const result = toResult(plant, pump.targetPa ?? 0)
  return { replies: [remember(pump, { ...base, stage: 'done', ...result })], isOver: true }
}
