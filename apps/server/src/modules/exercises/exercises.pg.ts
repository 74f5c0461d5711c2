import type {
  ExerciseLeftOut,
  ExerciseOutcome,
  ExerciseStep,
  ExerciseStop,
  ExerciseValve,
  ValveExercise,
} from '@isotherm/contract/endpoints/control/valve-exercises'
import type { Limiter } from '@isotherm/contract/filter'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { isDeviceBelow, isDeviceInScope } from '../../platform/scope/scope.pg.ts'
import type { Scope } from '../../platform/scope/scope.ts'
import type { Tables } from '../../platform/tables.ts'
import type { SentStep } from './tables.ts'

/** A valve that is exercised or left out. */
export interface ChosenValve {
  readonly deviceId: number
  readonly beforePct: number | undefined
  readonly leftOut: ExerciseLeftOut | undefined
}

export interface NewExercise {
  readonly accountId: number
  readonly account: string
  readonly reason: string
  readonly createdAt: number
}

/** Command of a step of one valve: the newest, if the batch of the step has several. */
const commandOf = (step: ExerciseStep): RawBuilder<unknown> => sql`
  left join valve_exercise_batch ${sql.raw(`${step}_batch`)} on ${sql.raw(`${step}_batch`)}.exercise_id = valve.exercise_id
    and ${sql.raw(`${step}_batch`)}.step = ${sql.lit(step)}
  left join command ${sql.raw(`${step}_command`)} on ${sql.raw(`${step}_command`)}.batch_id = ${sql.raw(`${step}_batch`)}.batch_id
    and ${sql.raw(`${step}_command`)}.device_id = valve.device_id`

/**
 * Result of a valve, see exerciseOutcome in the contract. A step that failed gives the result even if a later step is
 * not known yet.
 */
const outcome = sql<ExerciseOutcome>`case
  when valve.left_out is not null then 'left-out'
  when 'expired' in (open_command.state, close_command.state) then 'no-answer'
  when open_command.state in ('failed', 'unknown') or close_command.state in ('failed', 'unknown') then 'stuck'
  when open_command.state in ('superseded', 'cancelled') or close_command.state in ('superseded', 'cancelled')
    then 'interrupted'
  when open_command.state = 'confirmed' and close_command.state = 'confirmed' then 'moved'
  when exercise.ended_ms is not null then 'interrupted'
  else 'pending' end`

/** Valves of exercises with the commands of their steps, joined with `device` and `node`. */
const valves = sql`valve_exercise_valve valve
  join valve_exercise exercise on exercise.id = valve.exercise_id
  join device on device.id = valve.device_id join node on node.id = device.node_id
  ${commandOf('open')} ${commandOf('close')}`

interface ExerciseRow extends Omit<ValveExercise, 'stop' | 'endedAt' | 'abilities' | 'counts'> {
  readonly stop: ExerciseStop | null
  readonly endedAt: number | null
  readonly counts: Partial<Record<ExerciseOutcome, number>>
  readonly isWhole: boolean
}

const isVisible = (scope: Scope, paths: readonly string[] | undefined): RawBuilder<unknown> => sql`exists (
  select from valve_exercise_valve valve join device on device.id = valve.device_id
    join node on node.id = device.node_id
  where valve.exercise_id = exercise.id and ${isDeviceInScope(scope)}
    ${paths ? sql`and ${isDeviceBelow(paths)}` : sql``})`

export interface ExerciseQuery {
  readonly ids?: readonly number[]
  /** Only exercises with a valve below one of these paths. */
  readonly paths?: readonly string[] | undefined
  readonly limiter: Limiter
}

/** Exercises with a valve in scope, newest first. `isWhole`: all their valves are in scope. */
export async function listExercises(
  db: Database | Transaction<Tables>,
  scope: Scope,
  { ids, paths, limiter }: ExerciseQuery,
): Promise<{ readonly rows: readonly ExerciseRow[]; readonly total: number }> {
  const hasId = ids ? sql`exercise.id = any(${[...ids]}::bigint[])` : sql`true`
  const where = sql`${hasId} and ${isVisible(scope, paths)}`
  const { rows } = await sql<ExerciseRow>`
    select listed.id, listed.state, listed.step, listed.stop, listed.account as actor, listed.reason,
      listed.created_ms as "createdAt", listed.ended_ms as "endedAt", counted.counts,
      counted.total::integer as total, counted.total = (
        select count(*) from valve_exercise_valve where exercise_id = listed.id) as "isWhole"
    from (
      select * from valve_exercise exercise where ${where} order by id desc
      limit ${limiter.size} offset ${(limiter.page - 1) * limiter.size}
    ) listed cross join lateral (
      select jsonb_object_agg(outcome, number) as counts, sum(number) as total from (
        select ${outcome} as outcome, count(*) as number from ${valves}
        where valve.exercise_id = listed.id and ${isDeviceInScope(scope)} group by 1) by_outcome
    ) counted order by listed.id desc`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from valve_exercise exercise where ${where}`.execute(db)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

interface ValveRow extends Omit<ExerciseValve, 'steps' | 'leftOut' | 'beforePct'> {
  readonly leftOut: ExerciseLeftOut | null
  readonly beforePct: number | null
  readonly steps: Partial<Record<ExerciseStep, SentStep>> | null
  readonly total: number
}

/** Valves of an exercise that are in scope, in the order of the tree. */
export async function listValves(
  db: Database,
  scope: Scope,
  query: { readonly id: number; readonly outcome?: ExerciseOutcome | undefined; readonly limiter: Limiter },
): Promise<{ readonly datalist: ExerciseValve[]; readonly total: number }> {
  const { id, limiter } = query
  const step = (name: ExerciseStep) => sql`
    ${sql.lit(name)}, case when ${sql.ref(`${name}_command.id`)} is not null then jsonb_build_object(
      'openingPct', ${sql.ref(`${name}_command.opening_pct`)}, 'state', ${sql.ref(`${name}_command.state`)},
      'at', ${sql.ref(`${name}_command.updated_ms`)}) end`
  const { rows } = await sql<ValveRow>`
    select device.id as "deviceId", device.name, device.serial as imei, node.nestaddr, ${outcome} as outcome,
      valve.left_out as "leftOut", valve.before_pct as "beforePct", count(*) over () as total,
      jsonb_strip_nulls(jsonb_build_object(${step('open')}, ${step('close')}, ${step('restore')})) as steps
    from ${valves} ${commandOf('restore')}
    where valve.exercise_id = ${id} and ${isDeviceInScope(scope)}
      ${query.outcome ? sql`and ${outcome} = ${query.outcome}` : sql``}
    order by node.sort_path, device.id
    limit ${limiter.size} offset ${(limiter.page - 1) * limiter.size}`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    datalist: rows.map(({ total: _, leftOut, beforePct, steps, ...row }) => ({
      ...row,
      ...(leftOut !== null && { leftOut }),
      ...(beforePct !== null && { beforePct }),
      steps: steps ?? {},
    })),
  }
}

/** Number of exercises of `ids` with a valve in scope, or with all valves in scope if `whole`. */
export async function countVisible(
  db: Database,
  scope: Scope,
  ids: readonly number[],
  whole: boolean,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from valve_exercise exercise
    where id = any(${[...ids]}::bigint[]) and ${isVisible(scope, undefined)} and (not ${whole}::boolean or not exists (
      select from valve_exercise_valve valve join device on device.id = valve.device_id
        join node on node.id = device.node_id
      where valve.exercise_id = exercise.id and not ${isDeviceInScope(scope)}))`.execute(db)
  return rows[0]?.count ?? 0
}

/** Whether a valve is part of an exercise that has not ended. Locks the valves until the transaction ends. */
export async function areBusy(
  transaction: Transaction<Tables>,
  deviceIds: readonly number[],
): Promise<boolean> {
  await sql`
    select from device where id = any(${[...deviceIds]}::bigint[]) order by id for no key update`.execute(
    transaction,
  )
  const { rows } = await sql`
    select from valve_exercise_valve valve join valve_exercise exercise on exercise.id = valve.exercise_id
    where exercise.ended_ms is null and valve.left_out is null and valve.device_id = any(${[...deviceIds]}::bigint[])
    limit 1`.execute(transaction)
  return rows.length > 0
}

export async function insertExercise(
  transaction: Transaction<Tables>,
  added: NewExercise,
  chosen: readonly ChosenValve[],
): Promise<number> {
  const { accountId, account, reason, createdAt } = added
  const { id } = await transaction
    .insertInto('valve_exercise')
    .values({
      account_id: accountId,
      account,
      reason,
      state: 'running',
      step: 'open',
      created_ms: createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into valve_exercise_valve (exercise_id, device_id, before_pct, left_out)
    select ${id}, "deviceId", "beforePct", "leftOut" from jsonb_to_recordset(${JSON.stringify(chosen)}::jsonb)
      chosen ("deviceId" bigint, "beforePct" double precision, "leftOut" text)`.execute(transaction)
  return id
}
