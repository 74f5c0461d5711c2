import type { BatchProgress, BatchState, CommandPriority, CommandState } from '@isotherm/contract/command'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { noteChanges } from '../../../platform/operation/note-changes.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isDeviceBelow, isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import { toSignal } from '../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { type BatchEvent, batchTransitions, statesOpenTo } from '../model/batch-machine.ts'
import { toCommonPath } from '../model/common-path.ts'
import type {} from '../model/tables.ts'
import { applyEvents } from '../store/apply-events.pg.ts'
import { noteCancelled } from '../store/withdraw-commands.pg.ts'
import type { BatchQuery, BatchStore, FailedAim } from './batch-service.ts'

type Counts = Partial<Record<CommandState, number>>

/** A batch as far as a caller sees it; `isWhole` when that is all of it. */
export interface SeenBatch {
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

/** A command of a batch: of which device, and how far it is. */
interface BatchPart {
  readonly deviceId: number
  readonly state: CommandState
}

/** How far a batch is, where all of its devices are now, and each of its commands for who asks. */
export interface BatchNews {
  readonly progress: BatchProgress
  readonly path: string
  readonly listParts: () => Promise<readonly BatchPart[]>
}

const commandsInScope = (scope: Scope): RawBuilder<unknown> => sql`
  from command join device on device.id = command.device_id join node on node.id = device.node_id
  where command.batch_id = batch.id and ${isDeviceInScope(scope)}`

/** Newest first, those of which a command is in scope. */
async function listBatches(
  db: Database,
  scope: Scope,
  { ids, paths, limiter }: BatchQuery,
): Promise<{ readonly rows: readonly SeenBatch[]; readonly total: number }> {
  const asked = ids ? sql`batch.id = any(${[...ids]}::text[])` : sql`true`
  const isThere = paths ? sql`and ${isDeviceBelow(paths)}` : sql``
  const isSeen = sql`${asked} and exists (select ${commandsInScope(scope)} ${isThere})`
  const [{ rows }, counted] = await Promise.all([
    sql<SeenBatch>`
      select batch.id, batch.state, batch.priority, batch.actor, batch.reason, batch.created_ms as "createdAt",
        batch.retry_of as "retryOf", counted.counts, counted.total::integer as total,
        counted.total = (select count(*) from command where batch_id = batch.id) as "isWhole"
      from (
        select * from command_batch batch where ${isSeen} order by batch.id desc
        limit ${limiter.size} offset ${(limiter.page - 1) * limiter.size}
      ) batch cross join lateral (
        select jsonb_object_agg(state, commands) as counts, sum(commands) as total
        from (select command.state, count(*) as commands ${commandsInScope(scope)} group by command.state) by_state
      ) counted order by batch.id desc`.execute(db),
    sql<{ total: number }>`select count(*) as total from command_batch batch where ${isSeen}`.execute(db),
  ])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** How many of `ids` are batches of which some command is in scope, or for `whole` every one. */
export async function countSeenBatches(
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

interface Moving {
  readonly batchId: string
  readonly event: BatchEvent
  /** Unix ms. */
  readonly at: number
}

interface Locked {
  readonly state: BatchState
  readonly paused_ms: number | null
  readonly path: string
}

/** Takes a batch on by an event, notes it and signals it. Throws command-batch.not-now. */
async function move(transaction: Transaction<Tables>, { batchId, event, at }: Moving): Promise<Locked> {
  const { rows } = await sql<Locked>`
    select state, paused_ms, path from command_batch where id = ${batchId} for update`.execute(transaction)
  const [batch] = rows
  const next = batch && batchTransitions[batch.state][event]
  if (!next) throw new AppError('command-batch.not-now')
  await sql`
    update command_batch set state = ${next}, paused_ms = ${next === 'paused' ? at : null}::bigint
    where id = ${batchId}`.execute(transaction)
  const { state, path } = batch
  await noteChanges(transaction, 'command-batch', [
    { id: batchId, path, before: { state }, after: { state: next } },
  ])
  await toSignal('batch_changed', batchId).execute(transaction)
  return batch
}

/** Commands of a batch that were never brought to the broker. */
const untried = (batchId: string) => sql`
  select id from command where batch_id = ${batchId} and state = 'queued' and attempts = 0
  order by id for no key update`

/** Gives what waited the time back in which it was held. */
async function resumeBatch(transaction: Transaction<Tables>, batchId: string, at: number): Promise<void> {
  const { paused_ms } = await move(transaction, { batchId, event: 'resume', at })
  const heldMs = Math.max(0, at - (paused_ms ?? at))
  await sql`
    update command set expires_ms = expires_ms + ${heldMs}::bigint, deadline_ms = deadline_ms + ${heldMs}::bigint
    from (${untried(batchId)}) waiting where command.id = waiting.id`.execute(transaction)
}

async function cancelBatch(
  transaction: Transaction<Tables>,
  batchId: string,
  facts: { readonly at: number; readonly detail: string },
): Promise<void> {
  await move(transaction, { batchId, event: 'cancel', at: facts.at })
  const { rows } = await sql<{ id: string }>`${untried(batchId)}`.execute(transaction)
  if (rows.length === 0) return
  await applyEvents(
    transaction,
    rows.map(({ id }) => ({ id, event: 'cancelled', facts })),
  )
  await noteCancelled(
    transaction,
    rows.map(({ id }) => ({ id, state: 'queued' })),
    { cause: 'batch cancelled' },
  )
}

/** What a batch asked in vain, of each device in use that was told nothing since. */
async function listFailed(db: Database, batchId: string): Promise<readonly FailedAim[]> {
  const { rows } = await sql<FailedAim>`
    select device_id as "deviceId", command.kind, coalesce(opening_pct, head_kpa) as target from command join device on device.id = device_id
    where batch_id = ${batchId} and state in ('failed', 'expired', 'unknown') and retired_at is null and not exists (
      select from command later where later.device_id = command.device_id and later.rev > command.rev)
    order by command.id`.execute(db)
  return rows
}

/** Ends the batches of which no command is open any more. */
export async function finishBatches(db: Database): Promise<void> {
  // Literals: only so the index of what is open is found.
  const open = statesOpenTo('ended').map((state) => sql.lit(state))
  await sql`
    with ended as (
      update command_batch batch set state = 'finished', paused_ms = null
      where state in (${sql.join(open)}) and not exists (
        select from command where batch_id = batch.id and deadline_ms is not null)
      returning id
    )
    select pg_notify('batch_changed', id) from ended`.execute(db)
}

async function listParts(db: Database, batchId: string): Promise<readonly BatchPart[]> {
  const { rows } = await sql<BatchPart>`
    select device_id as "deviceId", state from command where batch_id = ${batchId}`.execute(db)
  return rows
}

export async function findBatchNews(db: Database, ids: readonly string[]): Promise<readonly BatchNews[]> {
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

export const createBatchStore = (db: Database): BatchStore => ({
  list: (scope, query) => listBatches(db, scope, query),
  pause: (batchId, at, operation) =>
    operate(db, operation, async (transaction) => {
      await move(transaction, { batchId, event: 'pause', at })
    }),
  resume: (batchId, at, operation) =>
    operate(db, operation, (transaction) => resumeBatch(transaction, batchId, at)),
  cancel: (batchId, facts, operation) =>
    operate(db, operation, (transaction) => cancelBatch(transaction, batchId, facts)),
  listFailed: (batchId) => listFailed(db, batchId),
})
