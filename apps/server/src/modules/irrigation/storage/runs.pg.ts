import type { OutputOf } from '@isotherm/contract/endpoint'
import type { getIrrigationRuns } from '@isotherm/contract/endpoints/control/irrigation'
import type { IrrigationConflict } from '@isotherm/contract/irrigation'
import type { LocalClock, PlannedRun } from '@isotherm/irrigation/plan/model'
import { toLocalDay } from '@isotherm/irrigation/run/decide'
import type { RunState, StepState } from '@isotherm/irrigation/run/run-machine'
import type { FlowExpectation } from '@isotherm/irrigation/watch/expectation'
import { DAY_MS } from '@isotherm/kernel/durations'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isBelow, isInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { HaltReason } from '../tables.ts'
import { keepOpening, MAX_RUN_MS, openings } from './openings.pg.ts'

type Writer = Database | Transaction<Tables>

/** Instants are Unix ms. */
export interface StoredStep {
  readonly id: number
  readonly runId: number
  readonly groupId: number
  readonly valveIds: readonly number[]
  readonly flowM3H: number
  readonly maxS: number
  readonly plannedMs: number
  readonly plannedS: number
  readonly durationS: number
  readonly delayS: number
  readonly soakS: number
  readonly state: StepState
  readonly openedMs: number | null
  /** When it was opened first: an interrupted step is opened again. */
  readonly firstOpenedMs: number | null
  readonly closeDueMs: number | null
  readonly closedMs: number | null
  readonly openBatch: string | null
  readonly closeBatch: string | null
  readonly closeTries: number
  readonly closeSentMs: number | null
  readonly volumeM3: number
  readonly meteredMs: number | null
  readonly meteredS: number
  readonly meteredM3: number
  readonly measuredM3: number
  readonly isAlone: boolean
  readonly lostM3: number
  readonly lostS: number
  readonly expected: FlowExpectation | null
  readonly finding: string | null
}

export interface StoredRun {
  readonly id: number
  readonly sourceId: number
  readonly sourceName: string
  readonly programId: number | null
  readonly name: string
  readonly state: RunState
  readonly together: boolean
  readonly dueMs: number
  readonly beganMs: number
  readonly endedMs: number | null
  readonly pausedFor: HaltReason | null
  readonly adjustPct: number
  readonly conflicts: readonly IrrigationConflict[]
  readonly plannedM3: number
  readonly isObserved: boolean
  readonly accountId: number | null
  readonly account: string
  readonly steps: readonly StoredStep[]
}

const steps = sql`coalesce((select json_agg(json_build_object('id', step.id, 'runId', run_id, 'groupId', group_id,
  'valveIds', valve_ids, 'flowM3H', flow_m3_h, 'maxS', max_s, 'plannedMs', planned_ms, 'plannedS', planned_s,
  'durationS', duration_s, 'delayS', delay_s, 'soakS', soak_s, 'state', step.state, 'openedMs', opened_ms,
  'firstOpenedMs', first_opened_ms,
  'closeDueMs', close_due_ms, 'closedMs', closed_ms, 'openBatch', open_batch, 'closeBatch', close_batch,
  'closeTries', close_tries, 'closeSentMs', close_sent_ms, 'volumeM3', volume_m3, 'meteredMs', metered_ms,
  'meteredS', metered_s, 'meteredM3', metered_m3, 'measuredM3', measured_m3, 'isAlone', is_alone,
  'lostM3', lost_m3, 'lostS', lost_s, 'expected', expected, 'finding', finding) order by seq)
  from irrigation_step step where step.run_id = run.id), '[]')`

const selected = sql`
  select run.id, run.source_id as "sourceId", source.settings->>'name' as "sourceName", program_id as "programId", run.name,
    run.state, together, due_ms as "dueMs", began_ms as "beganMs", ended_ms as "endedMs", paused_for as "pausedFor",
    adjust_pct as "adjustPct",
    conflicts, planned_m3 as "plannedM3", is_observed as "isObserved", run.account_id as "accountId", run.account, ${steps} as steps
  from irrigation_run run join irrigation_source source on source.id = run.source_id
    join node on node.id = source.node_id`

/** Runs of sources that are not over, or whose valves are not confirmed closed; in the order of their start. */
export async function listActiveRuns(
  db: Writer,
  sourceIds: readonly number[],
): Promise<readonly StoredRun[]> {
  const { rows } = await sql<StoredRun>`${selected}
    where run.source_id = any(${[...sourceIds]}::bigint[]) and (run.state in ('running', 'paused', 'stopping') or exists (
      select from irrigation_step open where open.run_id = run.id and open.state in ('opening', 'open', 'closing', 'stuck')))
    order by run.due_ms, run.id`.execute(db)
  return rows
}

export interface RunQuery {
  readonly paths?: readonly string[] | undefined
  readonly sourceId?: number | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly limiter: { readonly page: number; readonly size: number }
}

/** Runs that began in a span, newest first. */
export async function listRuns(
  db: Database,
  scope: Scope,
  { paths, sourceId, from = 0, to = 4_102_444_800_000, limiter: { page, size } }: RunQuery,
): Promise<Omit<OutputOf<typeof getIrrigationRuns>, 'datalist'> & { readonly rows: readonly StoredRun[] }> {
  const condition = sql`${isInScope('node.path', scope)} and ${paths ? isBelow('node.path', paths) : sql`true`}
    and ${sourceId === undefined ? sql`true` : sql`run.source_id = ${sourceId}`}
    and began_ms >= ${from}::bigint and began_ms < ${to}::bigint`
  const { rows } = await sql<StoredRun>`${selected} where ${condition}
    order by began_ms desc, run.id desc limit ${size} offset ${(page - 1) * size}`.execute(db)
  const among = sql`from irrigation_run run join irrigation_source source on source.id = run.source_id
    join node on node.id = source.node_id`
  const counted = await sql<{ total: number }>`select count(*) as total ${among} where ${condition}`.execute(
    db,
  )
  const { rows: groups } = await sql<{ groupId: number; volumeM3: number; measuredM3: number }>`
    select group_id as "groupId", sum(volume_m3) as "volumeM3", sum(measured_m3) as "measuredM3"
    ${among} join irrigation_step step on step.run_id = run.id
    where ${condition} group by group_id having sum(volume_m3) > 0 order by group_id`.execute(db)
  const volumeM3 = groups.reduce((sum, group) => sum + group.volumeM3, 0)
  return { rows, total: counted.rows[0]?.total ?? 0, volumeM3, groups }
}

/**
 * Water that was taken on the local day of an instant, m³: by openings on it, and what valves reported that no run had opened. No water
 * is in both: an observed opening is one of which no run had any part.
 */
export async function readUsedM3(
  db: Database,
  sourceId: number,
  clock: LocalClock,
  instantMs: number,
): Promise<number> {
  const day = toLocalDay(clock, instantMs)
  const [from, to] = [clock.toInstant(day * DAY_MS), clock.toInstant((day + 1) * DAY_MS)]
  const { rows } = await sql<{ openedMs: number; volumeM3: number }>`
    select opening.opened_ms as "openedMs", opening.volume_m3 as "volumeM3"
    from irrigation_run run join ${openings} on opening.run_id = run.id
    where run.source_id = ${sourceId} and run.began_ms >= ${from - MAX_RUN_MS}::bigint
      and opening.opened_ms >= ${from}::bigint and opening.opened_ms < ${to + DAY_MS}::bigint`.execute(db)
  // Where the clock goes back over midnight, a part of the day before lies behind the first instant of a day.
  return rows.reduce((sum, one) => sum + (toLocalDay(clock, one.openedMs) === day ? one.volumeM3 : 0), 0)
}

/** When steps with some valves were confirmed closed last, Unix ms, by valve. Closings before `since` are left out. */
export async function listClosings(
  db: Database,
  valveIds: readonly number[],
  since: number,
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ id: number; closedMs: number }>`
    select valve as id, max(closed_ms) as "closedMs" from irrigation_step step join irrigation_run run on run.id = run_id,
      unnest(valve_ids) valve
    where valve_ids && ${[...valveIds]}::bigint[] and not is_observed and closed_ms >= ${since}::bigint
      and opened_ms is not null group by valve`.execute(db)
  return new Map(rows.map(({ id, closedMs }) => [id, closedMs]))
}

export interface NewRun {
  readonly sourceId: number
  readonly programId: number | null
  readonly name: string
  readonly together: boolean
  readonly accountId: number | null
  readonly account: string
  readonly now: number
  readonly planned: Pick<PlannedRun, 'dueMs' | 'adjustPct' | 'steps' | 'volumeM3'>
  readonly conflicts: readonly IrrigationConflict[]
  /** Longest time of the valves of a step, s. */
  readonly toMaxS: (valveIds: readonly number[]) => number
}

/** Stores a planned run with its steps; one without steps is over at once. A run of a program and an instant is stored once. */
export async function insertRun(transaction: Transaction<Tables>, run: NewRun): Promise<number | undefined> {
  const { planned, now } = run
  const isEmpty = planned.steps.length === 0
  const inserted = await transaction
    .insertInto('irrigation_run')
    .values({
      source_id: run.sourceId,
      program_id: run.programId,
      name: run.name,
      state: isEmpty ? 'done' : 'running',
      together: run.together,
      due_ms: planned.dueMs,
      began_ms: now,
      ended_ms: isEmpty ? now : null,
      adjust_pct: planned.adjustPct,
      conflicts: JSON.stringify(run.conflicts),
      planned_m3: planned.volumeM3,
      account_id: run.accountId,
      account: run.account,
    })
    .onConflict((conflict) => conflict.columns(['program_id', 'due_ms']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted || isEmpty) return inserted?.id
  await transaction
    .insertInto('irrigation_step')
    .values(
      planned.steps.map((step, seq) => ({
        run_id: inserted.id,
        seq,
        group_id: step.groupId,
        valve_ids: [...step.valveIds],
        flow_m3_h: step.flowM3H,
        max_s: run.toMaxS(step.valveIds),
        planned_ms: step.startMs,
        planned_s: step.durationS,
        duration_s: step.durationS,
        delay_s: step.delayS,
        soak_s: step.soakS,
        opened_ms: null,
        close_due_ms: null,
        closed_ms: null,
        open_batch: null,
        close_batch: null,
        close_sent_ms: null,
        metered_ms: null,
        expected: null,
        finding: null,
      })),
    )
    .execute()
  return inserted.id
}

/**
 * Moves the instant up to which the runs of a source are planned. False if another replica has planned them first.
 */
export async function advancePlanned(
  transaction: Transaction<Tables>,
  id: number,
  from: number,
  to: number,
): Promise<boolean> {
  const { rows } = await sql`
    update irrigation_source set planned_ms = ${to}::bigint where id = ${id} and planned_ms = ${from}::bigint
    returning id`.execute(transaction)
  return rows.length > 0
}

/** Columns of a step that change with its state. */
export interface StepChange {
  readonly state?: StepState
  readonly valve_ids?: number[]
  readonly flow_m3_h?: number
  readonly opened_ms?: number
  readonly first_opened_ms?: number
  readonly close_due_ms?: number
  readonly closed_ms?: number
  readonly open_batch?: string
  readonly close_batch?: string | null
  readonly close_tries?: number
  readonly close_sent_ms?: number
  readonly duration_s?: number
  readonly volume_m3?: number
  readonly metered_ms?: number
  readonly metered_s?: number
  readonly metered_m3?: number
  readonly measured_m3?: number
  readonly is_alone?: boolean
  readonly lost_m3?: number
  readonly lost_s?: number
  readonly expected?: string
  readonly finding?: string
}

/** Changes a step if it is still in the expected state. False if it is not. */
export async function changeStep(
  db: Writer,
  { id, state }: Pick<StoredStep, 'id' | 'state'>,
  change: StepChange,
): Promise<boolean> {
  const result = await db
    .updateTable('irrigation_step')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', state)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Marks a waiting step as opening. False unless its run is still running and this replica still has the source. Waits
 * for concurrent changes of both: nothing opens after a stop or while a protection halts the source, and a replica
 * that was suspended for a while opens nothing beside its successor.
 */
export async function markOpening(
  transaction: Transaction<Tables>,
  step: Pick<StoredStep, 'id' | 'state' | 'runId'>,
  worker: string,
  change: StepChange,
): Promise<boolean> {
  const { rows } = await sql`
    select from irrigation_run run join irrigation_source source on source.id = run.source_id
    where run.id = ${step.runId} and run.state = 'running' and source.worker = ${worker} and halted_ms is null
    for share of run, source`.execute(transaction)
  if (rows.length === 0) return false
  await keepOpening(transaction, step)
  return changeStep(transaction, step, { ...change, state: 'opening' })
}

/** Stops the runs of a source that are not over. */
export async function stopRuns(transaction: Transaction<Tables>, sourceId: number): Promise<void> {
  await transaction
    .updateTable('irrigation_run')
    .set({ state: 'stopping' })
    .where('source_id', '=', sourceId)
    .where('state', 'in', ['running', 'paused'])
    .execute()
}

/** Moves a run from one state to the next. False if it has moved meanwhile. */
export async function moveRun(
  db: Writer,
  { id, state }: Pick<StoredRun, 'id' | 'state'>,
  to: RunState,
  endedMs: number | null,
  pausedFor: HaltReason | null = null,
): Promise<boolean> {
  const result = await db
    .updateTable('irrigation_run')
    .set({ state: to, ended_ms: endedMs, paused_for: pausedFor })
    .where('id', '=', id)
    .where('state', '=', state)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
