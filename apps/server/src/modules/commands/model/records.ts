import type { Command, CommandKind, CommandPriority, CommandState } from '@isotherm/contract/command'
import type { Limiter } from '@isotherm/contract/filter'
import type { Transaction } from 'kysely'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { CommandEvent } from './state-machine.ts'

/** A batch to be stored. */
export interface NewBatch {
  readonly id: string
  /** Account that is notified of the progress; undefined for batches of the system. */
  readonly accountId: number | undefined
  /** Scope of the sender. Error messages name nothing outside of it. */
  readonly scope: Scope
  readonly actor: string
  readonly reason: string
  readonly priority: CommandPriority
  /** Unix ms. */
  readonly createdAt: number
  readonly retryOf?: string | undefined
  /** End of the hold on the new openings, Unix ms; absent: no hold. */
  readonly holdUntil?: number | undefined
}

/** Setpoint of a device: the opening of a valve, %, the head of a pump, kPa, or the offset of a heating curve, K. */
export interface Setpoint {
  readonly kind: CommandKind
  readonly target: number
}

/** Opening that a valve reported, %, and when it was measured, Unix ms. */
export interface ShownOpening {
  readonly pct: number
  readonly ts: number
}

/** A command of a batch to be stored. */
export interface NewCommand extends Setpoint {
  readonly id: string
  readonly deviceId: number
  /** Device whose MQTT client receives it: the concentrator or the device itself. */
  readonly queueId: number
  /** Whether this MQTT client sleeps between its reports. */
  readonly sleeps: boolean
  /** Measured value at the time of the order. */
  readonly previous: number | undefined
  /** The device closes the valve after so many seconds; absent: it stays open. */
  readonly maxOpenS?: number | undefined
  /** Unix ms. */
  readonly expiresAt: number
  /** Whether the order has no validity of its own. Then the wait for earlier commands in the queue extends the default. */
  readonly hasDefaultValidity: boolean
}

/** A command that is claimed for publishing. */
export interface DueCommand extends Setpoint {
  readonly maxOpenS: number | null
  readonly id: string
  readonly queueId: number
  readonly deviceId: number
  readonly rev: number
  readonly createdAt: number
  readonly expiresAt: number
}

/** A command past its deadline. */
export interface OverdueCommand {
  readonly id: string
  /** Whether it was claimed for publishing, but it is not recorded whether the broker received it. */
  readonly wasTried: boolean
}

/** Data of an event. Instants are Unix ms. */
export interface EventFacts {
  readonly at: number
  readonly detail?: string
  readonly resultCode?: number
  /** Instant of the device's own `done`. */
  readonly doneAt?: number
  /** Deadline of the next state. */
  readonly deadlineAt?: number
}

/** An event of one command. */
export interface EventEntry {
  readonly id: string
  readonly event: CommandEvent
  readonly facts: EventFacts
}

/** A command that the device reported as done and that no reading has confirmed yet. */
export interface AwaitingCommand extends Setpoint {
  readonly id: string
  readonly deviceId: number
  readonly doneAt: number
}

/** Device and setpoint of a command, and when it was sent (Unix ms). */
export interface CommandTarget extends Setpoint {
  readonly deviceId: number
  readonly createdAt: number
}

export interface CommandQuery {
  /** Only devices below these paths. */
  readonly paths?: readonly string[] | undefined
  readonly deviceIds?: readonly number[] | undefined
  readonly batchId?: string | undefined
  /** Only commands in these states. */
  readonly states?: readonly CommandState[] | undefined
  /** Created at or after, Unix ms. */
  readonly from?: number | undefined
  /** Created before. */
  readonly to?: number | undefined
  readonly limiter: Limiter
}

/** A command with the path of its device. */
export interface PlacedCommand {
  readonly command: Command
  readonly path: string
}

/**
 * Writes that run in the transaction of an order, before the order. If they throw, nothing is stored. They may run
 * twice, because the transaction is retried after a deadlock.
 */
export type ExtraWrites = (transaction: Transaction<Tables>, batchId: string) => Promise<void>

/** Applies an event to a command. Resolves with the new state; undefined if the event changed nothing. */
export type ApplyEvent = (
  id: string,
  event: CommandEvent,
  facts: EventFacts,
) => Promise<CommandState | undefined>
