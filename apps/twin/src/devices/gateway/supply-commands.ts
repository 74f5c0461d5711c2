import { replyCodes, type SupplyMessage } from '@isotherm/contract/mqtt'
import type { StationPlant } from '../../plant/station-plant.ts'
import {
  BUS_TIMEOUT_MS,
  type CommandContext,
  type Reply,
  refuseOutdated,
  remember,
  supersede,
} from '../models/command-memory.ts'
import type { SupplyController } from '../models/supply-controller.ts'

/** Handles a command to a station's supply temperature and returns the first reply. A repeated id gets the last reply again. */
export function handleSupplyCommand(
  supply: SupplyController,
  command: SupplyMessage,
  { faults, nowMs }: CommandContext,
): Reply[] {
  const earlier = supply.replies.get(command.id)
  if (earlier !== undefined) return [{ ...earlier, ts: nowMs }]
  const base = { id: command.id, dev: command.dev, ts: nowMs }
  const refusal = refuseOutdated(command, supply, nowMs)
  if (refusal !== undefined) return [remember(supply, { ...base, stage: 'accepted', ...refusal })]
  const replies = supersede(supply, nowMs)
  supply.rev = command.rev
  supply.activeCommand = command.id
  const isSilent = faults.find(supply.serial, 'offline') !== undefined
  supply.busGivesUpMs = isSilent ? nowMs + BUS_TIMEOUT_MS : undefined
  // The controller stores tenths of a kelvin.
  if (!isSilent) supply.offsetK = Math.round(10 * command.args.offset) / 10
  return [...replies, remember(supply, { ...base, stage: 'accepted', code: replyCodes.ok })]
}

/** Applies the offset of the running command to the plant; returns the replies. */
export function advanceSupplyCommand(
  supply: SupplyController,
  plant: StationPlant,
  nowMs: number,
): readonly Reply[] {
  const { activeCommand: id, busGivesUpMs, offsetK } = supply
  if (id === undefined) return []
  if (busGivesUpMs !== undefined && nowMs < busGivesUpMs) return []
  const base = { id, dev: supply.serial, ts: nowMs, stage: 'done' } as const
  supply.activeCommand = undefined
  supply.busGivesUpMs = undefined
  if (busGivesUpMs !== undefined)
    return [remember(supply, { ...base, code: replyCodes.busTimeout, msg: 'no answer on the bus' })]
  plant.supplyOffsetK = offsetK
  return [remember(supply, { ...base, code: replyCodes.ok, res: { offset: offsetK } })]
}
