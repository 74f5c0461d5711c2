import type { Command, CommandKind, CommandPriority, CommandState } from '@isotherm/contract/command'
import type { Limiter } from '@isotherm/contract/filter'
import type { Transaction } from 'kysely'
import type { Operation } from '../../../platform/operation/operation.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { LastOpening } from '../../devices/index.ts'
import type { CommandEvent } from './state-machine.ts'

/** A batch about to be stored. */
export interface NewBatch {
  readonly id: string
  /** Who is told of its progress. */
  readonly accountId: number | undefined
  /** What its giver sees: of nothing else a refusal tells. */
  readonly scope: Scope
  readonly actor: string
  readonly reason: string
  readonly priority: CommandPriority
  /** Unix ms. */
  readonly createdAt: number
  readonly retryOf?: string | undefined
  /** Until when what it asks is held, Unix ms; not at all without. */
  readonly holdUntil?: number | undefined
}

/** What is asked of a device: an opening of a valve, %, or a head of a pump, kPa. */
export interface Aim {
  readonly kind: CommandKind
  readonly target: number
}

/** A command of it. */
export interface NewCommand extends Aim {
  readonly id: string
  readonly deviceId: number
  /** Device whose MQTT client it goes through, and whether that sleeps between its reports. */
  readonly laneId: number
  readonly sleeps: boolean
  /** As measured when it was given. */
  readonly previous: number | undefined
  /** Unix ms. */
  readonly expiresAt: number
  /** Whether it waits longer for what is before it on its lane: nobody said until when it stands. */
  readonly waitsItsTurn: boolean
}

/** A command taken to be published. */
export interface DueCommand extends Aim {
  readonly id: string
  readonly laneId: number
  readonly deviceId: number
  readonly rev: number
  readonly createdAt: number
  readonly expiresAt: number
}

/** A command whose time is up. */
export interface OverdueCommand {
  readonly id: string
  /** Whether it was taken to be published and nobody noted whether the broker has it. */
  readonly wasTried: boolean
}

/** What an event brings along. Instants are Unix ms. */
export interface EventFacts {
  readonly at: number
  readonly detail?: string
  readonly resultCode?: number
  /** Instant of the device's own `done`. */
  readonly doneAt?: number
  /** When the state it leads to is up. */
  readonly deadlineAt?: number
}

/** Something that happened to a command. */
export interface Happening {
  readonly id: string
  readonly event: CommandEvent
  readonly facts: EventFacts
}

/** A command whose device says it is done and whose reading has not confirmed it yet. */
export interface AwaitingCommand extends Aim {
  readonly id: string
  readonly deviceId: number
  readonly doneAt: number
}

/** The device a command is for, what it asks and when it was given (Unix ms). */
export interface CommandTarget extends Aim {
  readonly deviceId: number
  readonly createdAt: number
}

export interface CommandQuery {
  /** Subtrees to look in. */
  readonly paths?: readonly string[] | undefined
  readonly deviceIds?: readonly number[] | undefined
  readonly batchId?: string | undefined
  /** Only those in one of these. */
  readonly states?: readonly CommandState[] | undefined
  /** Created at or after, Unix ms. */
  readonly from?: number | undefined
  /** Created before. */
  readonly to?: number | undefined
  readonly limiter: Limiter
}

/** A command with the path of the node its device is on. */
export interface PlacedCommand {
  readonly command: Command
  readonly path: string
}

/** What is stored together with a batch, and before it: what this throws leaves nothing stored. May be done twice. */
export type Beside = (transaction: Transaction<Tables>, batchId: string) => Promise<void>

export interface CommandStore {
  /**
   * Stores all of them or none, ends the ones they replace and notes their openings as the ones last asked,
   * together with the operation in the log. Each change is signalled on commit.
   */
  insertBatch(
    batch: NewBatch,
    commands: readonly NewCommand[],
    operation: Operation,
    beside?: Beside,
  ): Promise<void>
  /** Notes openings asked by other means; one asked earlier than what is known changes nothing. */
  noteOpenings(
    openings: readonly { readonly deviceId: number; readonly openingPct: number; readonly at: number }[],
    operation: Operation,
  ): Promise<readonly LastOpening[]>
  /**
   * Applies an event, in one transaction with others of the same moment; the state it led to, undefined when it changed nothing or the
   * command does not exist. Either way it is kept in the history.
   */
  apply(id: string, event: CommandEvent, facts: EventFacts): Promise<CommandState | undefined>
  /** Cancels all of them or, when one of them has been tried or has moved on, none and answers false. */
  cancelAll(ids: readonly string[], facts: EventFacts, operation: Operation): Promise<boolean>
  /** Cancels those of them that were not tried; what `beside` throws leaves none cancelled. */
  cancelUntried(
    ids: readonly string[],
    facts: EventFacts,
    operation: Operation,
    beside?: (transaction: Transaction<Tables>) => Promise<void>,
  ): Promise<void>
  /** Commands whose time is up `now`; of those that were tried, whose time was up at `triedBefore`. */
  listOverdue(asked: {
    readonly now: number
    readonly triedBefore: number
    readonly limit: number
  }): Promise<readonly OverdueCommand[]>
  /** Commands in each state that is not final. */
  countOpen(): Promise<ReadonlyMap<CommandState, number>>
  listAwaiting(): Promise<readonly AwaitingCommand[]>
  find(scope: Scope, ids: readonly string[]): Promise<readonly PlacedCommand[]>
  list(scope: Scope, query: CommandQuery): Promise<{ readonly datalist: Command[]; readonly total: number }>
  listLast(scope: Scope, deviceIds: readonly number[]): Promise<Command[]>
  /** What a reply is checked against. */
  findTarget(id: string): Promise<CommandTarget | undefined>
}
