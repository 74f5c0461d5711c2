import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toSignal } from '../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import {
  type Change,
  type DelayChange,
  type Suppression,
  type Transition,
  toOriginatorKey,
  toWatchKey,
} from '../engine/watches.ts'
import { toAlarmPayloads } from '../model/alarm-signal.ts'
import { type AlarmTransitionEvent, listTransitions } from '../model/state-machine.ts'
// Adds this module's tables to the database type.
import type {} from '../model/tables.ts'

type Db = Transaction<Tables>

const toRecord = ({ kind, originator: { deviceId, nodeId } }: Pick<Change, 'kind' | 'originator'>) => ({
  kind,
  device_id: deviceId ?? null,
  node_id: nodeId ?? null,
})

/** The next state after an event, from the state in `column`; null if the event changes nothing. */
export const nextState = (event: AlarmTransitionEvent, column: string): RawBuilder<string | null> =>
  sql`case ${sql.ref(column)} ${sql.join(
    listTransitions(event).map(([from, to]) => sql`when ${sql.lit(from)} then ${sql.lit(to)}`),
    sql` `,
  )} end`

/** Condition: an event changes the state in `column`. */
export const isChangedBy = (event: AlarmTransitionEvent, column: string): RawBuilder<boolean> =>
  sql`${sql.ref(column)} in (${sql.join(listTransitions(event).map(([from]) => sql.lit(from)))})`

const givenTransitions = (transitions: readonly Transition[]) => sql`
  jsonb_to_recordset(${JSON.stringify(
    transitions.map((transition) => ({
      ...toRecord(transition),
      at_ms: transition.at,
      value: transition.value ?? null,
      severity: transition.severity ?? 'minor',
      rule_id: transition.ruleId ?? null,
      balance: transition.balance ?? null,
    })),
  )}::jsonb) given (
    kind text, device_id bigint, node_id bigint, at_ms double precision, value double precision, severity text,
    rule_id bigint, balance jsonb)`

const givenOriginator = sql`case when given.device_id is null then 'n' || given.node_id else 'd' || given.device_id end`
const givenAt = sql`to_timestamp(given.at_ms / 1000)`

type Changed = { readonly id: number }

/** Raises alarms. An alarm that is open already, raised by any replica, stays unchanged or returns. */
async function raise(db: Db, transitions: readonly Transition[]): Promise<readonly Changed[]> {
  if (transitions.length === 0) return []
  // The inner join skips a device or node that was removed meanwhile.
  const { rows } = await sql<Changed>`
    with changed as (
      insert into alarm (
        company_id, kind, severity, device_id, node_id, path, value, rule_id, balance, raised_at)
      select node.company_id, given.kind, given.severity, given.device_id, given.node_id,
        node.path || coalesce('d' || device.id || '/', ''), given.value, rule.id, given.balance,
        ${givenAt}
      from ${givenTransitions(transitions)}
      left join device on device.id = given.device_id and device.retired_at is null
      join node on node.id = coalesce(device.node_id, given.node_id)
      left join alarm_rule rule on rule.id = given.rule_id
      order by given.at_ms
      on conflict (originator, kind) where state <> 'ended' do update set
        state = ${nextState('raised', 'alarm.state')}, raised_at = excluded.raised_at, cleared_at = null,
        value = excluded.value, severity = excluded.severity, rule_id = excluded.rule_id,
        balance = excluded.balance, occurrences = alarm.occurrences + 1
        -- Ignore an alarm that a slower replica raised before another one cleared it.
        where ${isChangedBy('raised', 'alarm.state')} and excluded.raised_at > alarm.cleared_at
      returning id, raised_at, occurrences, severity, value),
    noted as (
      insert into alarm_event (alarm_id, at, event, detail)
      select id, raised_at, case when occurrences = 1 then 'raised' else 'returned' end, coalesce(value::text, '')
      from changed)
    select id from changed`.execute(db)
  return rows
}

async function end(db: Db, event: 'cleared' | 'withdrawn', transitions: readonly Transition[]) {
  if (transitions.length === 0) return []
  const { rows } = await sql<Changed>`
    with changed as (
      update alarm set state = ${nextState(event, 'alarm.state')},
        cleared_at = case when state like 'active%' then ${givenAt} else cleared_at end
      from ${givenTransitions(transitions)}
      where alarm.kind = given.kind and alarm.originator = ${givenOriginator}
        and ${isChangedBy(event, 'alarm.state')}
      returning alarm.id, given.at_ms, given.value),
    noted as (
      insert into alarm_event (alarm_id, at, event, detail)
      select id, to_timestamp(at_ms / 1000), ${event}, coalesce(value::text, '') from changed)
    select id from changed`.execute(db)
  return rows
}

/** Ends the suppression by alarms that are no longer active. */
export async function releaseSuppressed(db: Db, at: number): Promise<readonly Changed[]> {
  const { rows } = await sql<Changed>`
    with changed as (
      update alarm set suppressed_by = null from alarm cause
      where alarm.suppressed_by = cause.id and cause.state not like 'active%'
      returning alarm.id, alarm.state),
    noted as (
      insert into alarm_event (alarm_id, at, event)
      select id, to_timestamp(${at}::double precision / 1000), 'released' from changed where state <> 'ended')
    select id from changed`.execute(db)
  return rows
}

async function suppress(db: Db, suppressions: readonly Suppression[]): Promise<readonly Changed[]> {
  if (suppressions.length === 0) return []
  const records = suppressions.map((suppression) => ({
    ...toRecord(suppression),
    at_ms: suppression.at,
    by_kind: suppression.by?.kind ?? null,
    by_originator: suppression.by ? toOriginatorKey(suppression.by.originator) : null,
  }))
  const { rows } = await sql<Changed>`
    with changed as (
      update alarm set suppressed_by = cause.id
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) given (
        kind text, device_id bigint, node_id bigint, at_ms double precision, by_kind text, by_originator text)
      left join alarm cause on cause.originator = given.by_originator and cause.kind = given.by_kind
        and cause.state like 'active%'
      where alarm.kind = given.kind and alarm.originator = ${givenOriginator} and alarm.state <> 'ended'
        and alarm.suppressed_by is distinct from cause.id
      returning alarm.id, given.at_ms, cause.id as cause_id),
    noted as (
      insert into alarm_event (alarm_id, at, event, detail)
      select id, to_timestamp(at_ms / 1000), case when cause_id is null then 'released' else 'suppressed' end,
        coalesce(cause_id::text, '') from changed)
    select id from changed`.execute(db)
  return rows
}

/** Stores the latest change of each delay. */
async function putDelays(db: Db, delays: readonly DelayChange[]): Promise<void> {
  const newest = new Map(delays.map((delay) => [toWatchKey(delay), delay]))
  const records = [...newest.values()].map((delay) => ({
    ...toRecord(delay),
    phase: delay.phase ?? null,
    since_ms: delay.since,
  }))
  if (records.length === 0) return
  const given = sql`jsonb_to_recordset(${JSON.stringify(records)}::jsonb) given (
    kind text, device_id bigint, node_id bigint, phase text, since_ms bigint)`
  await sql`
    delete from alarm_delay using ${given}
    where alarm_delay.kind = given.kind and alarm_delay.originator = ${givenOriginator}
      and given.phase is null`.execute(db)
  await sql`
    insert into alarm_delay (kind, device_id, node_id, phase, since_ms)
    select given.kind, given.device_id, given.node_id, given.phase, given.since_ms from ${given}
    left join device on device.id = given.device_id left join node on node.id = given.node_id
    where given.phase is not null and num_nonnulls(device.id, node.id) = 1
    on conflict (originator, kind) do update set phase = excluded.phase, since_ms = excluded.since_ms`.execute(
    db,
  )
}

const isTransition = (change: Change): change is Transition =>
  change.op !== 'delay' && change.op !== 'suppression'

/** Splits transitions into runs that contain each alarm at most once. */
function splitRuns(transitions: readonly Transition[]): readonly (readonly Transition[])[] {
  const runs: Transition[][] = []
  let seen = new Set<string>()
  for (const transition of transitions) {
    const key = toWatchKey(transition)
    const run = runs.at(-1)
    if (run && !seen.has(key)) run.push(transition)
    else {
      runs.push([transition])
      seen = new Set()
    }
    seen.add(key)
  }
  return runs
}

/**
 * Waits until no other transaction changes many alarms. Replicas judge the same readings and store the same alarms, each in
 * its own order, so without it they would deadlock.
 */
export const lockAlarms = (transaction: Db): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtext('isotherm alarms'))`.execute(transaction)

/** Stores changes in order and in one transaction, and signals the changed alarms. */
export function writeChanges(db: Database, changes: readonly Change[], now: number): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    await lockAlarms(transaction)
    const changed: Changed[] = []
    const transitions = changes.filter(isTransition)
    for (const run of splitRuns(transitions)) {
      changed.push(
        ...(await raise(
          transaction,
          run.filter(({ op }) => op === 'raised'),
        )),
      )
      changed.push(
        ...(await end(
          transaction,
          'cleared',
          run.filter(({ op }) => op === 'cleared'),
        )),
      )
      changed.push(
        ...(await end(
          transaction,
          'withdrawn',
          run.filter(({ op }) => op === 'withdrawn'),
        )),
      )
    }
    changed.push(...(await suppress(transaction, newestSuppressions(changes))))
    if (transitions.some(({ op }) => op !== 'raised')) {
      changed.push(...(await releaseSuppressed(transaction, now)))
    }
    await putDelays(
      transaction,
      changes.filter((change) => change.op === 'delay'),
    )
    for (const payload of toAlarmPayloads(changed.map(({ id }) => id))) {
      await toSignal('alarm_changed', payload).execute(transaction)
    }
  })
}

const newestSuppressions = (changes: readonly Change[]): readonly Suppression[] => [
  ...new Map(
    changes.filter((change) => change.op === 'suppression').map((change) => [toWatchKey(change), change]),
  ).values(),
]
