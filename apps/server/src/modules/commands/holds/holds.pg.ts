import type { CommandKind, CommandPriority, HoldEnd, ValveHold } from '@isotherm/contract/command'
import type { Limiter } from '@isotherm/contract/filter'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { isServedDevice } from '../../../platform/cell/served.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isDeviceBelow, isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import { toSignal } from '../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { toNamed } from '../limits/limits.ts'
import type { NewBatch, NewCommand } from '../model/records.ts'
import type {} from '../model/tables.ts'
import { resolveHold } from './hold-machine.ts'

/** A hold that started or ended, with its owner and the path of its valve. A hold is an override of a setpoint. */
export interface HoldUpdate {
  readonly hold: ValveHold
  readonly ended: HoldEnd | undefined
  /** Account that ended it. */
  readonly by: string | undefined
  readonly accountId: number | undefined
  readonly path: string
}

const IDS_PER_SIGNAL = 250

async function signalHolds(
  transaction: Transaction<Tables>,
  rows: readonly { readonly id: number }[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += IDS_PER_SIGNAL) {
    const part = rows.slice(start, start + IDS_PER_SIGNAL).map(({ id }) => id)
    await toSignal('hold_changed', part.join(',')).execute(transaction)
  }
}

/** Ends expired holds of the given devices, or of all devices of companies that this server serves. */
async function expire(
  transaction: Transaction<Tables>,
  now: number,
  deviceIds?: readonly number[],
): Promise<void> {
  const ofThese = deviceIds ? sql`device_id = any(${[...deviceIds]}::bigint[])` : isServedDevice('device_id')
  const { rows } = await sql<{ id: number }>`
    update valve_hold set ended_ms = until_ms, ended_why = 'expired' where id in (
      select id from valve_hold where ended_ms is null and until_ms <= ${now} and ${ofThese}
      order by device_id for update)
    returning id`.execute(transaction)
  await signalHolds(transaction, rows)
}

export const expireHolds = (db: Database, now: number): Promise<void> =>
  db.transaction().execute((transaction) => expire(transaction, now))

interface OpenHold {
  readonly id: number
  readonly name: string
  readonly priority: CommandPriority
  readonly target: number
  readonly device_id: number
  readonly actor: string
  readonly until_ms: number
}

const describe = ({ name, priority, actor, until_ms }: OpenHold): string =>
  `${name} (${priority}, ${actor}, ${new Date(until_ms).toISOString().slice(0, 16)}Z)`

/** Whether a retry requests the setpoint of the current hold again. Such a hold continues unchanged. */
const isRetried = (
  hold: OpenHold,
  { priority, retryOf }: NewBatch,
  targets: ReadonlyMap<number, number>,
): boolean =>
  retryOf !== undefined && hold.priority === priority && hold.target === targets.get(hold.device_id)

/**
 * Applies a batch to the holds on its devices, which must be locked: ends the holds that it outranks or replaces and
 * starts its own. A retry does not change the hold on a setpoint that it repeats. Throws command.held with every device
 * that has a hold of a higher priority.
 */
export async function resolveHolds(
  transaction: Transaction<Tables>,
  batch: NewBatch,
  commands: readonly NewCommand[],
): Promise<void> {
  const { priority, holdUntil, createdAt } = batch
  const deviceIds = commands.map(({ deviceId }) => deviceId)
  const kinds = commands.map(({ kind }) => kind)
  await expire(transaction, createdAt, deviceIds)
  const { rows: found } = await sql<OpenHold>`
    select hold.id, device.name, hold.priority, coalesce(hold.opening_pct, hold.head_kpa, hold.offset_k) as target,
      hold.device_id, hold.actor, hold.until_ms
    from valve_hold hold join device on device.id = hold.device_id
    where hold.ended_ms is null and (hold.device_id, hold.kind) in (
      select * from unnest(${deviceIds}::bigint[], ${kinds}::text[]))
    order by hold.device_id for update of hold`.execute(transaction)
  const requested = new Map(commands.map(({ deviceId, target }) => [deviceId, target]))
  const affected = found.filter((hold) => !isRetried(hold, batch, requested))
  const order = { priority, holds: holdUntil !== undefined }
  const outcomes = affected.map((hold) => ({ hold, outcome: resolveHold(hold.priority, order) }))
  const refused = outcomes.filter(({ outcome }) => outcome.kind === 'refused')
  if (refused.length > 0) {
    throw new AppError('command.held', toNamed(refused.map(({ hold }) => describe(hold))))
  }
  const ended = outcomes.map(({ hold, outcome }) => ({
    id: hold.id,
    why: outcome.kind === 'accepted' ? outcome.ends : undefined,
  }))
  await sql`
    update valve_hold hold set ended_ms = ${createdAt}::bigint, ended_why = given.why, ended_by = ${batch.actor}
    from jsonb_to_recordset(${JSON.stringify(ended)}::jsonb) given (id bigint, why text)
    where hold.id = given.id`.execute(transaction)
  await signalHolds(transaction, ended)
  if (holdUntil === undefined) return
  const targets = commands.map(({ target }) => target)
  const { rows: started } = await sql<{ id: number }>`
    insert into valve_hold (device_id, opening_pct, head_kpa, offset_k, priority, account_id, actor, reason, since_ms,
      until_ms)
    select id, case kind when 'valve.set' then target end, case kind when 'pump.set' then target end,
      case kind when 'supply.set' then target end, ${priority}, ${batch.accountId ?? null}::bigint, ${batch.actor},
      ${batch.reason}, ${createdAt}::bigint, ${holdUntil}::bigint
    from unnest(${deviceIds}::bigint[], ${targets}::double precision[], ${kinds}::text[]) given (id, target, kind)
    returning id`.execute(transaction)
  await signalHolds(transaction, started)
}

/** Ends holds on a user's request. Returns false if one of them is not in force; the caller must then roll back. */
export async function releaseHolds(
  transaction: Transaction<Tables>,
  ids: readonly number[],
  { at, actor }: { readonly at: number; readonly actor: string },
): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    update valve_hold set ended_ms = ${at}::bigint, ended_why = 'released', ended_by = ${actor} where id in (
      select id from valve_hold where id = any(${[...ids]}::bigint[]) and ended_ms is null and until_ms > ${at}
      order by device_id for update)
    returning id`.execute(transaction)
  await signalHolds(transaction, rows)
  return rows.length === new Set(ids).size
}

/** Ends the holds on devices that are retired. */
export async function withdrawHolds(
  transaction: Transaction<Tables>,
  { ids, at }: { readonly ids: readonly number[]; readonly at: number },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update valve_hold set ended_ms = ${at}::bigint, ended_why = 'withdrawn'
    where device_id = any(${[...ids]}::bigint[]) and ended_ms is null returning id`.execute(transaction)
  await signalHolds(transaction, rows)
}

const shown = sql`hold.id, hold.device_id as "deviceId", device.name as "deviceName", node.nestaddr, hold.priority,
  hold.opening_pct as "openingPct", hold.head_kpa as "headKpa",
  hold.offset_k as "offsetK", hold.actor, hold.reason, hold.since_ms as "since", hold.until_ms as "until"`
const placed = sql`valve_hold hold join device on device.id = hold.device_id join node on node.id = device.node_id`

interface HoldRow extends Omit<ValveHold, 'openingPct' | 'headKpa' | 'offsetK'> {
  readonly openingPct: number | null
  readonly headKpa: number | null
  readonly offsetK: number | null
}

const toHold = ({ openingPct, headKpa, offsetK, ...hold }: HoldRow): ValveHold => ({
  ...hold,
  ...(openingPct === null ? {} : { openingPct }),
  ...(headKpa === null ? {} : { headKpa }),
  ...(offsetK === null ? {} : { offsetK }),
})

/** Holds in force at an instant, sorted by their end. */
export async function listHolds(
  db: Database,
  scope: Scope,
  query: {
    readonly now: number
    readonly paths?: readonly string[] | undefined
    readonly deviceIds?: readonly number[] | undefined
    readonly kind?: CommandKind | undefined
    readonly limiter: Limiter
  },
): Promise<{ datalist: ValveHold[]; total: number }> {
  const { now, paths, deviceIds, kind, limiter } = query
  const matching = sql`
    hold.ended_ms is null and hold.until_ms > ${now} and ${isDeviceInScope(scope)}
    and ${paths ? isDeviceBelow(paths) : sql`true`}
    and ${deviceIds ? sql`hold.device_id = any(${[...deviceIds]}::bigint[])` : sql`true`}
    and ${kind ? sql`hold.kind = ${kind}` : sql`true`}`
  const [{ rows }, counted] = await Promise.all([
    sql<HoldRow>`
      select ${shown} from ${placed} where ${matching} order by hold.until_ms, hold.id
      limit ${limiter.size} offset ${(limiter.page - 1) * limiter.size}`.execute(db),
    sql<{ total: number }>`select count(*) as total from ${placed} where ${matching}`.execute(db),
  ])
  return { datalist: rows.map(toHold), total: counted.rows[0]?.total ?? 0 }
}

/** Priority of the hold in force on an opening or a head, by device; without a check of access. */
export async function findHoldPriorities(
  db: Database,
  deviceIds: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, CommandPriority>> {
  const { rows } = await sql<{ id: number; priority: CommandPriority }>`
    select device_id as id, priority from valve_hold
    where device_id = any(${[...deviceIds]}::bigint[]) and ended_ms is null and until_ms > ${now}
      and kind <> 'supply.set'`.execute(db)
  return new Map(rows.map(({ id, priority }) => [id, priority]))
}

/** Counts the holds of `ids` that are in force on devices in scope. */
export async function countVisibleHolds(db: Database, scope: Scope, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${placed}
    where hold.id = any(${[...ids]}::bigint[]) and hold.ended_ms is null and ${isDeviceInScope(scope)}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export async function findHoldUpdates(db: Database, ids: readonly number[]): Promise<readonly HoldUpdate[]> {
  const { rows } = await sql<
    HoldRow & { ended: HoldEnd | null; by: string | null; accountId: number | null; path: string }
  >`
    select ${shown}, hold.ended_why as ended, hold.ended_by as by, hold.account_id as "accountId",
      node.path || 'd' || device.id || '/' as path
    from ${placed} where hold.id = any(${[...ids]}::bigint[]) order by hold.id`.execute(db)
  return rows.map(({ ended, by, accountId, path, ...hold }) => ({
    hold: toHold(hold),
    path,
    ended: ended ?? undefined,
    by: by ?? undefined,
    accountId: accountId ?? undefined,
  }))
}
