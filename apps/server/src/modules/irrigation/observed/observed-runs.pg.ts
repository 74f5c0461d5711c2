import { sql, type Transaction } from 'kysely'
import { isServedNode } from '../../../platform/cell/served.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { Opening, OwnTime } from './find-openings.ts'

/** Claims the sources that are due: no other replica looks at them until then, and this one not again. */
export async function claimLooks(db: Database, now: number, untilMs: number): Promise<readonly number[]> {
  // A time later than any is from before the clock was set back.
  const { rows } = await sql<{ id: number }>`
    update irrigation_source set look_ms = ${untilMs}::bigint where id in (
      select id from irrigation_source where (look_ms <= ${now}::bigint or look_ms > ${untilMs}::bigint)
        and ${isServedNode('node_id')}
      for update skip locked)
    returning id`.execute(db)
  return rows.map(({ id }) => id).toSorted((one, other) => one - other)
}

/** How far a valve has been looked at: as part of which group, and up to which time of storing, Unix s. */
interface Mark {
  readonly groupId: number
  readonly observedS: number
}

/** A valve of a group, with its stated flow. */
export interface ObservedValve {
  readonly deviceId: number
  readonly sourceId: number
  readonly groupId: number
  readonly flowM3H: number
  readonly mark: Mark | null
}

/** The valves of sources. A valve of several groups counts for the first group of the first source only. */
export async function listObservedValves(
  db: Database,
  sourceIds: readonly number[],
): Promise<readonly ObservedValve[]> {
  const { rows } = await sql<ObservedValve>`
    select counted.*, case when look.device_id is not null
      then json_build_object('groupId', look.group_id, 'observedS', look.observed_s) end as mark
    from (
      select distinct on ((valve->>'deviceId')::bigint) (valve->>'deviceId')::bigint as "deviceId",
        source_id as "sourceId", watered.id as "groupId", (valve->>'flowM3H')::double precision as "flowM3H"
      from irrigation_group watered, jsonb_array_elements(settings->'valves') valve
      order by (valve->>'deviceId')::bigint, source_id, watered.id) counted
    left join irrigation_look look on look.device_id = counted."deviceId"
    where "sourceId" = any(${[...sourceIds]}::bigint[]) order by "sourceId", "deviceId"`.execute(db)
  return rows
}

/** When runs of any source had a valve since an instant, Unix ms. */
export async function listOwnTimes(
  db: Database,
  deviceId: number,
  from: number,
): Promise<readonly OwnTime[]> {
  const { rows } = await sql<{ openedMs: number; closedMs: number | null }>`
    select coalesce(first_opened_ms, opened_ms) as "openedMs", closed_ms as "closedMs"
    from irrigation_step step join irrigation_run run on run.id = run_id
    where valve_ids @> array[${deviceId}]::bigint[] and not is_observed and opened_ms is not null
      and (closed_ms is null or closed_ms >= ${from}::bigint)`.execute(db)
  return rows.map((row) => ({ ...row, closedMs: row.closedMs ?? Number.POSITIVE_INFINITY }))
}

/** Names an opening: where all of it is the same, nothing has changed. */
const toKey = (sourceId: number, groupId: number, { fromMs, toMs, volumeM3, measuredM3 }: Opening): string =>
  [sourceId, groupId, fromMs, toMs, volumeM3.toFixed(6), measuredM3.toFixed(6)].join(' ')

/** Rows of one statement: each has some twenty parameters, and PostgreSQL takes 65,535. */
const CHUNK = 1_000

async function insertOpenings(
  transaction: Transaction<Tables>,
  { sourceId, groupId, deviceId }: ObservedValve,
  openings: readonly Opening[],
): Promise<void> {
  const runs = await transaction
    .insertInto('irrigation_run')
    .values(
      openings.map(({ fromMs, toMs }) => ({
        source_id: sourceId,
        program_id: null,
        name: '',
        state: 'done' as const,
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
      })),
    )
    .returning(['id', 'began_ms'])
    .execute()
  const runOf = new Map(runs.map(({ id, began_ms }) => [began_ms, id]))
  await transaction
    .insertInto('irrigation_step')
    .values(
      openings.map(({ fromMs, toMs, volumeM3, measuredM3 }) => {
        const lengthS = (toMs - fromMs) / 1000
        return {
          run_id: runOf.get(fromMs) ?? 0,
          seq: 0,
          group_id: groupId,
          valve_ids: [deviceId],
          flow_m3_h: (volumeM3 * 3600) / lengthS,
          max_s: Math.ceil(lengthS),
          planned_ms: fromMs,
          planned_s: lengthS,
          duration_s: 0,
          delay_s: 0,
          soak_s: 0,
          state: 'closed' as const,
          opened_ms: fromMs,
          close_due_ms: null,
          closed_ms: toMs,
          open_batch: null,
          close_batch: null,
          close_sent_ms: null,
          volume_m3: volumeM3,
          measured_m3: measuredM3,
          metered_ms: null,
          expected: null,
          finding: null,
        }
      }),
    )
    .execute()
}

/** Moves the mark of a valve. False if another replica was faster. */
async function moveMark(
  transaction: Transaction<Tables>,
  { deviceId, groupId, mark }: ObservedValve,
  observedS: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into irrigation_look as look (device_id, group_id, observed_s) values (${deviceId}, ${groupId}, ${observedS})
    on conflict (device_id) do update set group_id = excluded.group_id, observed_s = excluded.observed_s
      where look.group_id = ${mark?.groupId ?? null}::bigint and look.observed_s = ${mark?.observedS ?? null}::bigint
    returning device_id`.execute(transaction)
  return rows.length > 0
}

/** What was observed at a valve. */
export interface Observation {
  readonly valve: ObservedValve
  /** Openings that began since this instant are replaced, Unix ms. */
  readonly from: number
  readonly openings: readonly Opening[]
  /** The new mark of the valve, Unix s. */
  readonly observedS: number
}

/** Stores what was observed, unless another replica was faster. What is the same stays. */
export async function storeOpenings(db: Database, observation: Observation): Promise<void> {
  const { valve, from, openings, observedS } = observation
  await db.transaction().execute(async (transaction) => {
    if (!(await moveMark(transaction, valve, observedS))) return
    const { rows: stored } = await sql<Opening & { id: number; sourceId: number; groupId: number }>`
      select run.id, source_id as "sourceId", group_id as "groupId", began_ms as "fromMs", ended_ms as "toMs",
        volume_m3 as "volumeM3", measured_m3 as "measuredM3"
      from irrigation_step step join irrigation_run run on run.id = run_id
      where valve_ids @> array[${valve.deviceId}]::bigint[] and is_observed and began_ms >= ${from}::bigint`.execute(
      transaction,
    )
    const found = new Map(openings.map((opening) => [toKey(valve.sourceId, valve.groupId, opening), opening]))
    const gone = stored.filter((row) => !found.delete(toKey(row.sourceId, row.groupId, row)))
    const ids = gone.map(({ id }) => id)
    await sql`delete from irrigation_run where id = any(${ids}::bigint[])`.execute(transaction)
    const added = [...found.values()]
    for (let start = 0; start < added.length; start += CHUNK)
      await insertOpenings(transaction, valve, added.slice(start, start + CHUNK))
  })
}
