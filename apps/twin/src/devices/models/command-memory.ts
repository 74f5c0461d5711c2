import { type CommandMessage, type ReplyMessage, replyCodes } from '@isotherm/contract/mqtt'
import type { FaultBoard } from '../../faults/fault-board.ts'

/** A reply before the concentrator numbers it. */
export type Reply = Omit<ReplyMessage, 'v' | 'boot' | 'seq'>

/** Number of commands whose replies each device stores, to answer a repeat with the same reply. */
export const REMEMBERED_COMMANDS = 32
/** Timeout of a child on the bus, ms. */
export const BUS_TIMEOUT_MS = 3000

/** Stores the last reply to a command. */
export function remember({ replies }: { readonly replies: Map<string, Reply> }, reply: Reply): Reply {
  replies.delete(reply.id)
  replies.set(reply.id, reply)
  for (const id of replies.keys()) {
    if (replies.size <= REMEMBERED_COMMANDS) break
    replies.delete(id)
  }
  return reply
}

/** A device with a running command. */
export interface Commanded {
  readonly serial: string
  readonly replies: Map<string, Reply>
  activeCommand: string | undefined
}

/** Ends the running command because of a newer one. */
export function supersede(device: Commanded, nowMs: number): Reply[] {
  const { activeCommand: id, serial: dev } = device
  if (id === undefined) return []
  device.activeCommand = undefined
  const end = { id, dev, stage: 'done', code: replyCodes.superseded, ts: nowMs } as const
  return [remember(device, { ...end, msg: 'a newer command came' })]
}

export const EXPIRED = { code: replyCodes.expired, msg: 'expired' }

export interface Refusal {
  readonly code: number
  readonly msg: string
}

/** Refuses a command that is expired or older than the last one. */
export function refuseOutdated(
  { exp, rev }: Pick<CommandMessage, 'exp' | 'rev'>,
  known: { readonly rev: number },
  nowMs: number,
): Refusal | undefined {
  if (exp <= nowMs) return EXPIRED
  return rev <= known.rev ? { code: replyCodes.superseded, msg: `revision ${known.rev} is known` } : undefined
}

/** Context of a command: faults, wire time in Unix ms and plant time in simulated seconds. */
export interface CommandContext {
  readonly faults: FaultBoard
  readonly nowMs: number
  readonly simTimeS: number
}
