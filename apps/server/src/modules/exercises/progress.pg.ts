import type {
  ExerciseLeftOut,
  ExerciseState,
  ExerciseStep,
  ExerciseStop,
} from '@isotherm/contract/endpoints/control/valve-exercises'
import { sql, type Transaction } from 'kysely'
import { isServedDevice } from '../../platform/cell/served.pg.ts'
import { operate } from '../../platform/operation/operate.pg.ts'
import { toSystemOperation } from '../../platform/operation/operation.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { Tables } from '../../platform/tables.ts'
import type {} from './tables.ts'

/** An exercise that has not ended, with the state of the batch of its step. */
export interface OpenExercise {
  readonly id: number
  readonly accountId: number | null
  readonly account: string
  /** Company of the account; null for provider staff, and for an account that was deleted. */
  readonly companyId: number | null
  readonly reason: string
  readonly state: 'running' | 'cancelling'
  readonly step: ExerciseStep
  readonly stop: ExerciseStop | null
  readonly version: number
  readonly batchId: string | null
  readonly batchState: 'running' | 'paused' | 'cancelled' | 'finished' | null
  /** Whether a command of the batch is still on its way. */
  readonly isBatchOpen: boolean
}

/** Exercises that have not ended, in companies that this server serves, or without valves: these were removed. */
export async function listOpen(db: Database, ids?: readonly number[]): Promise<readonly OpenExercise[]> {
  const { rows } = await sql<OpenExercise>`
    select exercise.id, exercise.account_id as "accountId", exercise.account, account.company_id as "companyId",
      exercise.reason, exercise.state, exercise.step, exercise.stop, exercise.version, exercise.batch_id as "batchId",
      batch.state as "batchState", exists (
        select from command where batch_id = exercise.batch_id and deadline_ms is not null) as "isBatchOpen"
    from valve_exercise exercise left join command_batch batch on batch.id = exercise.batch_id
      left join account on account.id = exercise.account_id
    where exercise.ended_ms is null and (
        exists (
          select from valve_exercise_valve valve
          where valve.exercise_id = exercise.id and ${isServedDevice('valve.device_id')})
        or not exists (select from valve_exercise_valve valve where valve.exercise_id = exercise.id))
      ${ids ? sql`and exercise.id = any(${[...ids]}::bigint[])` : sql``}
    order by exercise.id`.execute(db)
  return rows
}

/**
 * Valves that take part in a step, with their measured opening before the exercise and their own limits. Leaves out
 * valves that were retired or that somebody else has moved since. When valves are set back, only those that an
 * earlier step has moved take part.
 */
export async function listStepValves(
  db: Database,
  { id, step }: Pick<OpenExercise, 'id' | 'step'>,
): Promise<
  readonly {
    readonly deviceId: number
    readonly beforePct: number | null
    readonly minPct: number | null
    readonly maxPct: number | null
  }[]
> {
  const { rows } = await sql<{
    deviceId: number
    beforePct: number | null
    minPct: number | null
    maxPct: number | null
  }>`
    select device.id as "deviceId", before_pct as "beforePct", min_opening_pct as "minPct", max_opening_pct as "maxPct"
    from valve_exercise_valve valve join device on device.id = valve.device_id
      join valve_exercise exercise on exercise.id = exercise_id
    where exercise_id = ${id} and left_out is null and device.retired_at is null
      and not exists (
        select from command later where later.device_id = device.id and later.kind = 'valve.set'
          and later.created_ms >= exercise.created_ms and later.batch_id not in (
            select batch_id from valve_exercise_batch own where own.exercise_id = exercise.id))
      and (${step !== 'restore'}::boolean or exists (
        select from command own join valve_exercise_batch sent on sent.batch_id = own.batch_id
        where sent.exercise_id = exercise.id and own.device_id = device.id and own.attempts > 0))
    order by device.id`.execute(db)
  return rows
}

/** Records the batch of the present step. False if another replica or a user has changed the exercise first. */
export async function recordBatch(
  transaction: Transaction<Tables>,
  { id, step, version }: Pick<OpenExercise, 'id' | 'step' | 'version'>,
  batchId: string,
): Promise<boolean> {
  const { rows } = await sql`
    update valve_exercise set batch_id = ${batchId}
    where id = ${id} and version = ${version} and step = ${step} and batch_id is null and ended_ms is null
    returning id`.execute(transaction)
  if (rows.length === 0) return false
  await transaction
    .insertInto('valve_exercise_batch')
    .values({ exercise_id: id, step, batch_id: batchId })
    .execute()
  return true
}

export interface Advance {
  readonly step?: ExerciseStep
  readonly state?: ExerciseState
  readonly stop?: ExerciseStop | undefined
  /** Set if the exercise ends now, Unix ms. */
  readonly endedAt?: number
}

/**
 * Moves an exercise to the next step, or ends it, as an operation of the system. Does nothing if another replica or a
 * user has changed it first.
 */
export const advance = (
  db: Database,
  { id, version }: Pick<OpenExercise, 'id' | 'version'>,
  { step, state, stop, endedAt }: Advance,
  now: number,
): Promise<void> =>
  operate(db, { ...toSystemOperation('valve-exercise', now), input: { id } }, async (transaction) => {
    await sql`
      update valve_exercise set batch_id = case when ${step ?? null}::text is null then batch_id end,
        step = coalesce(${step ?? null}::text, step), state = coalesce(${state ?? null}::text, state),
        stop = coalesce(${stop ?? null}::text, stop), ended_ms = ${endedAt ?? null}::bigint
      where id = ${id} and version = ${version} and ended_ms is null`.execute(transaction)
  })

/** Leaves out valves that refused the first step. */
export async function leaveOut(
  transaction: Transaction<Tables>,
  id: number,
  refused: ReadonlyMap<number, ExerciseLeftOut>,
): Promise<void> {
  const rows = [...refused].map(([device, reason]) => ({ device, reason }))
  await sql`
    update valve_exercise_valve valve set left_out = refused.reason
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) refused (device bigint, reason text)
    where valve.exercise_id = ${id} and valve.device_id = refused.device`.execute(transaction)
}

/** Starts to cancel a running exercise. False if it has ended or is being cancelled already. */
export async function beginCancelling(transaction: Transaction<Tables>, id: number): Promise<boolean> {
  const { rows } = await sql`
    update valve_exercise set state = 'cancelling' where id = ${id} and state = 'running'
    returning id`.execute(transaction)
  return rows.length > 0
}

/** Those of `ids` that are valves of an irrigation source. */
export async function listOfIrrigation(db: Database, ids: readonly number[]): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select device_id as id from control_device
    where purpose = 'irrigation' and device_id = any(${[...ids]}::bigint[])`.execute(db)
  return rows.map(({ id }) => id)
}
