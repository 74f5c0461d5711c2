import { type CommandPriority, commandPriorities } from '@isotherm/contract/command'
import { sql, type Transaction } from 'kysely'
import { toSignal } from '../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { raiseCommandRevs, recordOpenings } from '../../devices/index.ts'
import { toRequestedOpenings } from '../limits/network-limits.pg.ts'
import { toCommonPath } from '../model/common-path.ts'
import type { NewBatch, NewCommand } from '../model/records.ts'
import type {} from '../model/tables.ts'
import { COMMAND_TIME_MS } from '../model/timing.ts'
import { applyEvents, signalCommands } from './apply-events.pg.ts'

/** Supersedes the open commands to properties of devices that get a new one. */
async function replaceOpen(
  transaction: Transaction<Tables>,
  commands: readonly NewCommand[],
  at: number,
): Promise<void> {
  const deviceIds = commands.map(({ deviceId }) => deviceId)
  const kinds = commands.map(({ kind }) => kind)
  const { rows } = await sql<{ id: string }>`
    select id from command where deadline_ms is not null and (device_id, kind) in (
      select * from unnest(${deviceIds}::bigint[], ${kinds}::text[]))`.execute(transaction)
  await applyEvents(
    transaction,
    rows.map(({ id }) => ({ id, event: 'replaced', facts: { at } })),
  )
}

/** Path of the lowest common ancestor of devices. */
async function findCommonPath(
  transaction: Transaction<Tables>,
  deviceIds: readonly number[],
): Promise<string> {
  const { rows } = await sql<{ first: string; last: string }>`
    select min(path) as first, max(path) as last from device join node on node.id = device.node_id
    where device.id = any(${[...deviceIds]}::bigint[])`.execute(transaction)
  const { first = '', last = '' } = rows[0] ?? {}
  return toCommonPath(first, last)
}

/** Number of waiting commands of other batches that are sent before this priority, by queue. */
async function countAhead(
  transaction: Transaction<Tables>,
  priority: CommandPriority,
  commands: readonly NewCommand[],
): Promise<ReadonlyMap<number, number>> {
  const before = commandPriorities.slice(commandPriorities.indexOf(priority))
  const queueIds = [...new Set(commands.map(({ queueId }) => queueId))]
  const { rows } = await sql<{ queueId: number; ahead: number }>`
    select lane_id as "queueId", count(*) as ahead from command
    where lane_id = any(${queueIds}::bigint[]) and next_attempt_ms is not null
      and priority = any(${before}::text[])
    group by lane_id`.execute(transaction)
  return new Map(rows.map(({ queueId, ahead }) => [queueId, ahead]))
}

const toRow = (command: NewCommand, rev: number, ahead: number) => ({
  id: command.id,
  device_id: command.deviceId,
  lane_id: command.queueId,
  sleeps: command.sleeps,
  kind: command.kind,
  target: command.target,
  previous: command.previous ?? null,
  max_open_s: command.maxOpenS ?? null,
  rev,
  expires_ms: command.expiresAt + (command.hasDefaultValidity ? ahead * COMMAND_TIME_MS : 0),
})

/** Locks the devices until the end of the transaction, so that all checks stay valid. Returns the new revision by device. */
export const lockTargets = (
  transaction: Transaction<Tables>,
  commands: readonly NewCommand[],
): Promise<ReadonlyMap<number, number>> =>
  raiseCommandRevs(
    transaction,
    commands.map(({ deviceId }) => deviceId),
  )

/** Stores a batch and its commands with the revisions of their devices, and supersedes the open commands. */
export async function insertBatch(
  transaction: Transaction<Tables>,
  batch: NewBatch,
  commands: readonly NewCommand[],
  revs: ReadonlyMap<number, number>,
): Promise<void> {
  const { id: batchId, actor, reason, priority, createdAt } = batch
  const deviceIds = commands.map(({ deviceId }) => deviceId)
  await replaceOpen(transaction, commands, createdAt)
  await transaction
    .insertInto('command_batch')
    .values({
      id: batchId,
      account_id: batch.accountId ?? null,
      actor,
      reason,
      priority,
      state: 'running',
      created_ms: createdAt,
      paused_ms: null,
      retry_of: batch.retryOf ?? null,
      path: await findCommonPath(transaction, deviceIds),
    })
    .execute()
  const ahead = await countAhead(transaction, priority, commands)
  const rows = commands.map((command) =>
    toRow(command, revs.get(command.deviceId) ?? 0, ahead.get(command.queueId) ?? 0),
  )
  await sql`
    insert into command (id, batch_id, device_id, lane_id, sleeps, kind, opening_pct, previous_pct, max_open_s, head_kpa,
      previous_kpa, offset_k, previous_k, state, priority, rev, actor, reason, created_ms, updated_ms, expires_ms, deadline_ms,
      next_attempt_ms)
    select id, ${batchId}, device_id, lane_id, sleeps, kind,
      case kind when 'valve.set' then target end, case kind when 'valve.set' then previous end, max_open_s,
      case kind when 'pump.set' then target end, case kind when 'pump.set' then previous end,
      case kind when 'supply.set' then target end, case kind when 'supply.set' then previous end,
      'queued', ${priority}, rev, ${actor}, ${reason}, ${createdAt}::bigint, ${createdAt}::bigint, expires_ms, expires_ms, ${createdAt}::bigint
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) given (id text, device_id bigint, lane_id bigint,
      sleeps boolean, kind text, target double precision, previous double precision, max_open_s integer, rev bigint, expires_ms bigint)`.execute(
    transaction,
  )
  await sql`
    insert into command_event (command_id, at_ms, event, to_state, detail)
    select id, created_ms, 'stored', 'queued', '' from command where batch_id = ${batchId}`.execute(
    transaction,
  )
  await recordOpenings(
    transaction,
    toRequestedOpenings(commands).map(({ deviceId, openingPct }) => ({
      deviceId,
      openingPct,
      at: createdAt,
    })),
  )
  await signalCommands(
    transaction,
    commands.map(({ id }) => id),
  )
  await toSignal('batch_changed', batchId).execute(transaction)
}
