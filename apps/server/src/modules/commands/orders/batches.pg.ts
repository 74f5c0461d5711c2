import type { BatchProgress, BatchState, CommandPriority, CommandState } from '@isotherm/contract/command'
import type { Limiter } from '@isotherm/contract/filter'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { isServed } from '../../../platform/cell/served.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Operation } from '../../../platform/operation/operation.ts'
import { recordChanges } from '../../../platform/operation/record-changes.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isDeviceBelow, isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import { toSignal } from '../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { type BatchEvent, batchTransitions, statesOpenTo } from '../model/batch-machine.ts'
import { toCommonPath } from '../model/common-path.ts'
import type { Setpoint } from '../model/records.ts'
import type {} from '../model/tables.ts'
import { applyEvents } from '../store/apply-events.pg.ts'
import { recordCancelled } from '../store/withdraw-commands.pg.ts'

type Counts = Partial<Record<CommandState, number>>

export interface BatchQuery {
  readonly ids?: readonly string[] | undefined
  /** Only batches with a command below one of these paths. */
  readonly paths?: readonly string[] | undefined
  readonly limiter: Limiter
}

/** A setpoint that a device did not reach. */
export interface FailedSetpoint extends Setpoint {
  readonly deviceId: number
  readonly maxOpenS: number | null
}

/** The part of a batch that a caller may see; `isWhole` if that is the whole batch. */
export interface VisibleBatch {
  readonly id: string
  readonly state: BatchState
  readonly total: number
  readonly counts: Counts
  readonly priority: CommandPriority
  readonly actor: string
  readonly reason: string
  readonly createdAt: number
  readonly retryOf: string | null
  readonly isWhole: boolean
}

/** Device and state of a command of a batch. */
interface BatchPart {
  readonly deviceId: number
  readonly state: CommandState
}

/** Progress of a batch, the common path of its devices, and its commands on request. */
export interface BatchUpdate {
  readonly progress: BatchProgress
  readonly path: string
  readonly listParts: () => Promise<readonly BatchPart[]>
}

const commandsInScope = (scope: Scope): RawBuilder<unknown> => sql`
  from command join device on device.id = command.device_id join node on node.id = device.node_id
  where command.batch_id = batch.id and ${isDeviceInScope(scope)}`

/** Batches with a command in scope, newest first. */
export async function listBatches(
  db: Database,
  scope: Scope,
  { ids, paths, limiter }: BatchQuery,
): Promise<{ readonly rows: readonly VisibleBatch[]; readonly total: number }> {
  const hasId = ids ? sql`batch.id = any(${[...ids]}::text[])` : sql`true`
  const isBelowPaths = paths ? sql`and ${isDeviceBelow(paths)}` : sql``
  const isVisible = sql`${hasId} and exists (select ${commandsInScope(scope)} ${isBelowPaths})`
  const [{ rows }, counted] = await Promise.all([
    sql<VisibleBatch>`
      select batch.id, batch.state, batch.priority, batch.actor, batch.reason, batch.created_ms as "createdAt",
        batch.retry_of as "retryOf", counted.counts, counted.total::integer as total,
        counted.total = (select count(*) from command where batch_id = batch.id) as "isWhole"
      from (
        select * from command_batch batch where ${isVisible} order by batch.id desc
        limit ${limiter.size} offset ${(limiter.page - 1) * limiter.size}
      ) batch cross join lateral (
        select jsonb_object_agg(state, commands) as counts, sum(commands) as total
        from (select command.state, count(*) as commands ${commandsInScope(scope)} group by command.state) by_state
      ) counted order by batch.id desc`.execute(db),
    sql<{ total: number }>`select count(*) as total from command_batch batch where ${isVisible}`.execute(db),
  ])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** Counts the batches of `ids` with a command in scope, or with all commands in scope if `whole`. */
export async function countVisibleBatches(
  db: Database,
  scope: Scope,
  ids: readonly string[],
  whole: boolean,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from command_batch batch
    where batch.id = any(${[...ids]}::text[]) and exists (select ${commandsInScope(scope)})
      and (not ${whole}::boolean or (select count(*) ${commandsInScope(scope)})
        = (select count(*) from command where batch_id = batch.id))`.execute(db)
  return rows[0]?.count ?? 0
}

interface Transition {
  readonly batchId: string
  readonly event: BatchEvent
  /** Unix ms. */
  readonly at: number
}

interface LockedBatch {
  readonly state: BatchState
  readonly paused_ms: number | null
  readonly path: string
}

/** Applies an event to a batch, records and signals it. Throws command-batch.not-now. */
async function applyToBatch(
  transaction: Transaction<Tables>,
  { batchId, event, at }: Transition,
): Promise<LockedBatch> {
  const { rows } = await sql<LockedBatch>`
    select state, paused_ms, path from command_batch where id = ${batchId} for update`.execute(transaction)
  const [batch] = rows
  const next = batch && batchTransitions[batch.state][event]
  if (!next) throw new AppError('command-batch.not-now')
  await sql`
    update command_batch set state = ${next}, paused_ms = ${next === 'paused' ? at : null}::bigint
    where id = ${batchId}`.execute(transaction)
  const { state, path } = batch
  await recordChanges(transaction, 'command-batch', [
    { id: batchId, path, before: { state }, after: { state: next } },
  ])
  await toSignal('batch_changed', batchId).execute(transaction)
  return batch
}

/** Commands of a batch that were never published. */
const untried = (batchId: string) => sql`
  select id from command where batch_id = ${batchId} and state = 'queued' and attempts = 0
  order by id for no key update`

/** Resumes a batch and extends the deadlines of its waiting commands by the pause. */
async function resume(transaction: Transaction<Tables>, batchId: string, at: number): Promise<void> {
  const { paused_ms } = await applyToBatch(transaction, { batchId, event: 'resume', at })
  const pausedMs = Math.max(0, at - (paused_ms ?? at))
  await sql`
    update command set expires_ms = expires_ms + ${pausedMs}::bigint, deadline_ms = deadline_ms + ${pausedMs}::bigint
    from (${untried(batchId)}) waiting where command.id = waiting.id`.execute(transaction)
}

async function cancel(
  transaction: Transaction<Tables>,
  batchId: string,
  facts: { readonly at: number; readonly detail: string },
): Promise<void> {
  await applyToBatch(transaction, { batchId, event: 'cancel', at: facts.at })
  const { rows } = await sql<{ id: string }>`${untried(batchId)}`.execute(transaction)
  if (rows.length === 0) return
  await applyEvents(
    transaction,
    rows.map(({ id }) => ({ id, event: 'cancelled', facts })),
  )
  await recordCancelled(
    transaction,
    rows.map(({ id }) => ({ id, state: 'queued' })),
    { cause: 'batch cancelled' },
  )
}

/** Failed setpoints of a batch, of devices in use that received no later command. */
export async function listFailed(db: Database, batchId: string): Promise<readonly FailedSetpoint[]> {
  const { rows } = await sql<FailedSetpoint>`
    select device_id as "deviceId", command.kind, coalesce(opening_pct, head_kpa, offset_k) as target,
      max_open_s as "maxOpenS" from command join device on device.id = device_id
    where batch_id = ${batchId} and state in ('failed', 'expired', 'unknown') and retired_at is null and not exists (
      select from command later where later.device_id = command.device_id and later.kind = command.kind
        and later.rev > command.rev)
    order by command.id`.execute(db)
  return rows
}

/** Ends the batches without open commands, in companies that this server serves. */
export async function finishBatches(db: Database): Promise<void> {
  // Literals, because PostgreSQL uses the partial index on open batches only for literals.
  const open = statesOpenTo('ended').map((state) => sql.lit(state))
  await sql`
    with ended as (
      update command_batch batch set state = 'finished', paused_ms = null
      where state in (${sql.join(open)}) and not exists (
        select from command where batch_id = batch.id and deadline_ms is not null)
        -- A batch in several projects has the path of the root; every server may end it.
        and not exists (
          select from node project where project.id = nullif(split_part(batch.path, '/', 2), '')::bigint
            and not ${isServed('project.company_id')})
      returning id
    )
    select pg_notify('batch_changed', id) from ended`.execute(db)
}

async function listParts(db: Database, batchId: string): Promise<readonly BatchPart[]> {
  const { rows } = await sql<BatchPart>`
    select device_id as "deviceId", state from command where batch_id = ${batchId}`.execute(db)
  return rows
}

/** Progress of batches by their ids. */
export async function findBatchUpdates(
  db: Database,
  ids: readonly string[],
): Promise<readonly BatchUpdate[]> {
  const { rows } = await sql<{
    id: string
    state: BatchState
    first: string
    last: string
    counts: Counts
    total: number
  }>`
    select batch.id, batch.state, counts, total::integer as total,
      coalesce(first, batch.path) as first, coalesce(last, batch.path) as last
    from command_batch batch cross join lateral (
      select jsonb_object_agg(state, commands) as counts, sum(commands) as total
      from (select state, count(*) as commands from command where batch_id = batch.id group by state) by_state
    ) counted cross join lateral (
      select min(node.path) as first, max(node.path) as last
      from command join device on device.id = command.device_id join node on node.id = device.node_id
      where command.batch_id = batch.id
    ) placed
    where batch.id = any(${[...ids]}::text[])`.execute(db)
  return rows.map(({ first, last, ...progress }) => ({
    progress,
    path: toCommonPath(first, last),
    listParts: () => listParts(db, progress.id),
  }))
}

/** Throws command-batch.not-now. */
export const pauseBatch = (db: Database, batchId: string, at: number, operation: Operation): Promise<void> =>
  operate(db, operation, async (transaction) => {
    await applyToBatch(transaction, { batchId, event: 'pause', at })
  })

/** Throws command-batch.not-now. */
export const resumeBatch = (db: Database, batchId: string, at: number, operation: Operation): Promise<void> =>
  operate(db, operation, (transaction) => resume(transaction, batchId, at))

/** Cancels a batch and its commands that were never tried. Throws command-batch.not-now. */
export const cancelBatch = (
  db: Database,
  batchId: string,
  facts: { readonly at: number; readonly detail: string },
  operation: Operation,
): Promise<void> => operate(db, operation, (transaction) => cancel(transaction, batchId, facts))
