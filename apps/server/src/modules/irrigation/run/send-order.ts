import type { Command, CommandPriority } from '@isotherm/contract/command'
import type { RefusalReason } from '@isotherm/contract/order-preview'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { reader } from '../../../platform/caller-of-account.ts'
import type { Call } from '../../../platform/http/call.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { RunnerNeeds } from './tick.ts'

/** How long a command may wait for its device, s: a valve must not open late. */
const VALIDITY_S = 30

/** Another replica or a user has changed the step first. */
class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

export interface ValveOrder {
  readonly valveIds: readonly number[]
  readonly openingPct: number
  /** Longest time that the valves stay open, s; the devices enforce it. */
  readonly maxOpenS?: number
  readonly priority: CommandPriority
  readonly reason: string
}

/** Valves that would refuse an order, with the reason; undefined if the account may not send it at all. */
export async function findRefused(
  { commands }: Pick<RunnerNeeds, 'commands'>,
  { caller }: Pick<Call, 'caller'>,
  { valveIds, openingPct, priority }: ValveOrder,
): Promise<ReadonlyMap<number, RefusalReason> | undefined> {
  const targets = valveIds.map((deviceId) => ({ deviceId, openingPct }))
  try {
    const { refused } = await commands.preview(caller, { targets, priority })
    return new Map(refused.map(({ deviceId, reason }) => [deviceId, reason]))
  } catch (error) {
    if (error instanceof AppError && error.code !== 'server.unavailable') return undefined
    throw error
  }
}

/** Result of an order. `held`: a person holds the valves with a higher priority; `refused`: for another reason. */
export type OrderOutcome = 'sent' | 'held' | 'refused'

/** Sends an opening to the valves that accept it, if any does, and marks it in the same transaction. */
export async function sendOrder(
  { commands }: Pick<RunnerNeeds, 'commands'>,
  call: Pick<Call, 'caller' | 'operation'>,
  { valveIds, openingPct, maxOpenS, priority, reason }: ValveOrder,
  mark: (transaction: Transaction<Tables>, batchId: string) => Promise<boolean>,
): Promise<OrderOutcome> {
  const targets = valveIds.map((deviceId) => ({ deviceId, openingPct }))
  try {
    const { refused } = await commands.preview(call.caller, { targets, priority })
    const isRefused = new Set(refused.map(({ deviceId }) => deviceId))
    const accepted = targets.filter(({ deviceId }) => !isRefused.has(deviceId))
    if (accepted.length === 0) return refused.every(({ reason }) => reason === 'held') ? 'held' : 'refused'
    const limit = maxOpenS === undefined ? {} : { maxOpenS }
    await commands.send(
      call,
      { targets: accepted, priority, reason, validityS: VALIDITY_S, ...limit },
      async (transaction, batchId) => {
        if (!(await mark(transaction, batchId))) throw new Overtaken()
      },
    )
    return 'sent'
  } catch (error) {
    if (error instanceof Overtaken) return 'sent'
    if (error instanceof AppError && error.code !== 'server.unavailable')
      return error.code === 'command.held' ? 'held' : 'refused'
    throw error
  }
}

export async function listCommands(
  { commands }: Pick<RunnerNeeds, 'commands'>,
  batchId: string | null,
): Promise<readonly Command[]> {
  if (batchId === null) return []
  return (await commands.list(reader, { batchId, limiter: { page: 1, size: 1_000 } })).datalist
}
