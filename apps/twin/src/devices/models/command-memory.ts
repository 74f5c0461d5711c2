import { type CommandMessage, type ReplyMessage, replyCodes } from '@isotherm/contract/mqtt'
import type { FaultBoard } from '../../faults/fault-board.ts'

/** A reply before the concentrator numbers it. */
export type Reply = Omit<ReplyMessage, 'v' | 'boot' | 'seq'>

/** How many commands' replies each device remembers, to answer a repeat with the same words. */
export const REMEMBERED_COMMANDS = 32
/** The concentrator gives up on a child that does not answer on its bus after this, ms. */
export const BUS_TIMEOUT_MS = 3000

/** Keeps the last reply to a command. */
export function remember({ replies }: { readonly replies: Map<string, Reply> }, reply: Reply): Reply {
  replies.delete(reply.id)
  replies.set(reply.id, reply)
  for (const id of replies.keys()) {
    if (replies.size <= REMEMBERED_COMMANDS) break
    replies.delete(id)
  }
  return reply
}

export const EXPIRED = { code: replyCodes.expired, msg: 'expired' }

export interface Refusal {
  readonly code: number
  readonly msg: string
}

/** Why a device does not take a command that came too late. */
export function refuseOutdated(
  { exp, rev }: Pick<CommandMessage, 'exp' | 'rev'>,
  known: { readonly rev: number },
  nowMs: number,
): Refusal | undefined {
  if (exp <= nowMs) return EXPIRED
  return rev <= known.rev ? { code: replyCodes.superseded, msg: `revision ${known.rev} is known` } : undefined
}

/** Where and when a command meets its device: the wire's clock in Unix ms, the plant's in simulated seconds. */
export interface Moment {
  readonly faults: FaultBoard
  readonly nowMs: number
  readonly simTimeS: number
}
