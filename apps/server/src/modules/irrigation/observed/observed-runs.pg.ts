import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { OwnStep, Rotation } from './find-rotations.ts'

/** A source whose valves are looked at. */
export interface ObservedSource {
  readonly id: number
  /** Readings that were stored before have been looked at, Unix s. */
  readonly observedS: number
  readonly groups: readonly {
    readonly id: number
    readonly valves: readonly { readonly deviceId: number; readonly flowM3H: number }[]
  }[]
}

/** All sources with their groups. */
export async function listObserved(db: Database): Promise<readonly ObservedSource[]> {
  const { rows } = await sql<ObservedSource>`
    select source.id, observed_s as "observedS", json_agg(json_build_object('id', watered.id,
      'valves', watered.settings->'valves') order by watered.id) as groups
    from irrigation_source source join irrigation_group watered on watered.source_id = source.id
    group by source.id order by source.id`.execute(db)
  return rows
}

/** When the runs of all sources had their valves since an instant, Unix ms: a valve can be in groups of several sources. */
export async function listOwnSteps(db: Database, from: number): Promise<readonly OwnStep[]> {
  const { rows } = await sql<{ valveIds: number[]; openedMs: number; closedMs: number | null }>`
    select valve_ids as "valveIds", opened_ms as "openedMs", closed_ms as "closedMs"
    from irrigation_step step join irrigation_run run on run.id = run_id
    where not is_observed and opened_ms is not null and coalesce(closed_ms, ${from}::bigint) >= ${from}::bigint`.execute(
    db,
  )
  return rows.map((row) => ({ ...row, closedMs: row.closedMs ?? Number.POSITIVE_INFINITY }))
}

/** Names a rotation: where it is the same, nothing has changed. */
const toKey = (beganMs: number, endedMs: number | null, volumeM3: number): string =>
  `${beganMs} ${endedMs} ${volumeM3.toFixed(6)}`

async function insert(transaction: Transaction<Tables>, sourceId: number, rotation: Rotation): Promise<void> {
  const { fromMs, toMs, steps } = rotation
  const { id } = await transaction
    .insertInto('irrigation_run')
    .values({
      source_id: sourceId,
      program_id: null,
      name: '',
      state: 'done',
      together: false,
      due_ms: fromMs,
      began_ms: fromMs,
      ended_ms: toMs,
      adjust_pct: 100,
      conflicts: '[]',
      planned_m3: 0,
      is_observed: true,
      account_id: null,
      account: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await transaction
    .insertInto('irrigation_step')
    .values(
      steps.map((step, seq) => {
        const lengthS = (step.toMs - step.fromMs) / 1000
        return {
          run_id: id,
          seq,
          group_id: step.groupId,
          valve_ids: [...step.valveIds],
          flow_m3_h: (step.volumeM3 * 3600) / lengthS,
          max_s: Math.ceil(lengthS),
          planned_ms: step.fromMs,
          planned_s: lengthS,
          duration_s: 0,
          delay_s: 0,
          soak_s: 0,
          state: 'closed' as const,
          opened_ms: step.fromMs,
          close_due_ms: null,
          closed_ms: step.toMs,
          open_batch: null,
          close_batch: null,
          close_sent_ms: null,
          volume_m3: step.volumeM3,
          measured_m3: step.measuredM3,
          metered_ms: null,
          expected: null,
          finding: null,
        }
      }),
    )
    .execute()
}

/** What was observed at a source. */
export interface Observation {
  readonly source: ObservedSource
  /** Rotations that began since this instant are replaced, Unix ms. */
  readonly from: number
  readonly rotations: readonly Rotation[]
  /** The new mark of the source, Unix s. */
  readonly observedS: number
}

/** Stores what was observed, unless another replica or a change of the groups was faster. What is the same stays. */
export async function storeObserved(db: Database, observation: Observation): Promise<void> {
  const { source, from, rotations, observedS } = observation
  await db.transaction().execute(async (transaction) => {
    const marked = await transaction
      .updateTable('irrigation_source')
      .set({ observed_s: observedS })
      .where('id', '=', source.id)
      .where('observed_s', '=', source.observedS)
      .executeTakeFirst()
    if (marked.numUpdatedRows === 0n) return
    const { rows: stored } = await sql<{ id: number; began: number; ended: number; volume: number }>`
      select run.id, began_ms as began, ended_ms as ended, sum(volume_m3) as volume
      from irrigation_run run join irrigation_step step on step.run_id = run.id
      where source_id = ${source.id} and is_observed and began_ms >= ${from}::bigint
      group by run.id`.execute(transaction)
    const toKeyOf = ({ fromMs, toMs, steps }: Rotation): string =>
      toKey(
        fromMs,
        toMs,
        steps.reduce((sum, { volumeM3 }) => sum + volumeM3, 0),
      )
    const found = new Map(
      rotations.filter(({ fromMs }) => fromMs >= from).map((rotation) => [toKeyOf(rotation), rotation]),
    )
    const over: number[] = []
    for (const { id, began, ended, volume } of stored)
      if (!found.delete(toKey(began, ended, volume))) over.push(id)
    if (over.length > 0) await transaction.deleteFrom('irrigation_run').where('id', 'in', over).execute()
    for (const rotation of found.values()) await insert(transaction, source.id, rotation)
  })
}
