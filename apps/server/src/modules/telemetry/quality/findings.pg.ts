import { type Finding, findingDetail } from '@isotherm/contract/alarms/finding'
import { type RawBuilder, sql } from 'kysely'
import { isServedDevice } from '../../../platform/cell/served.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset, toTotal } from '../../../platform/postgres/filter.pg.ts'
import { isDeviceBelow, isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { FindingChange, FindingEnd, FindingQuery } from './finding-changes.ts'
import type { TelemetryFindingTable } from './finding-tables.ts'

type Row = Pick<TelemetryFindingTable, 'device_id' | 'rule' | 'since_ms' | 'until_ms' | 'detail'>

const toChange = (row: Row): FindingChange => ({
  deviceId: row.device_id,
  rule: row.rule,
  since: row.since_ms,
  ...(row.until_ms === null ? {} : { until: row.until_ms }),
  detail: findingDetail.parse(row.detail),
})

const returned = sql`finding.device_id, finding.rule, finding.since_ms, finding.until_ms, finding.detail`

/** Figures of a rule can be NaN, which JSON does not have. They are left out. */
const toJson = ({ detail }: FindingChange): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(detail).filter(([, value]) => typeof value === 'string' || Number.isFinite(value)),
    ),
  )

const column = <Item>(
  items: readonly Item[],
  value: (item: Item) => unknown,
  type: string,
): RawBuilder<unknown> => sql`${items.map(value)}::${sql.raw(type)}[]`

const matching = (db: Database, scope: Scope, query: FindingQuery) => {
  let found = db
    .selectFrom('telemetry_finding as finding')
    .innerJoin('device', 'device.id', 'finding.device_id')
    .innerJoin('node', 'node.id', 'device.node_id')
    .where(isDeviceInScope(scope))
  if (query.paths) found = found.where(isDeviceBelow(query.paths))
  if (query.deviceIds) found = found.where('finding.device_id', 'in', [...query.deviceIds])
  if (query.rules) found = found.where('finding.rule', 'in', [...query.rules])
  if (query.isOpen) found = found.where('finding.until_ms', 'is', null)
  if (query.to !== undefined) found = found.where('finding.since_ms', '<', query.to)
  const { from } = query
  if (from === undefined) return found
  return found.where((or) => or.or([or('finding.until_ms', 'is', null), or('finding.until_ms', '>=', from)]))
}

/** Lists findings in a scope, the newest first. */
export async function listFindings(
  db: Database,
  scope: Scope,
  query: FindingQuery,
): Promise<{ datalist: Finding[]; total: number }> {
  const rows = await matching(db, scope, query)
    .select([
      'finding.id',
      'finding.device_id',
      'finding.rule',
      'finding.since_ms',
      'finding.until_ms',
      'finding.detail',
      'device.serial as imei',
      'device.name',
      'device.kind',
      'node.nestaddr',
    ])
    .orderBy('finding.since_ms', 'desc')
    .orderBy('finding.id', 'desc')
    .limit(query.limiter.size)
    .offset(toOffset(query.limiter))
    .execute()
  const datalist = rows.map(({ id, imei, name, kind, nestaddr, ...row }) => ({
    id,
    imei,
    name,
    kind,
    nestaddr,
    ...toChange(row),
  }))
  const count = async () => {
    const [counted] = await matching(db, scope, query)
      .select((of) => of.fn.countAll<number>().as('total'))
      .execute()
    return counted?.total ?? 0
  }
  return { datalist, total: await toTotal(query.limiter, rows.length, count) }
}

/** Removes findings that ended before an instant (Unix ms), at most `limit`, the oldest first. Returns their number. */
export async function removeEndedFindings(db: Database, before: number, limit: number): Promise<number> {
  // `until_ms` is never before `since_ms`, so the index on `since_ms` finds them.
  const { numAffectedRows } = await sql`
    delete from telemetry_finding where id in (
      select id from telemetry_finding where since_ms < ${before} and until_ms < ${before}
      order by since_ms, id limit ${limit} for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Stores new findings, at most one open finding per device and rule. Returns those that nobody had stored before. */
export async function startFindings(
  db: Database,
  changes: readonly FindingChange[],
): Promise<readonly FindingChange[]> {
  const { rows } = await sql<Row>`
    insert into telemetry_finding as finding (device_id, rule, since_ms, until_ms, detail)
    select given.device_id, given.rule, given.since_ms, given.until_ms, given.detail::jsonb
    from unnest(
      ${column(changes, ({ deviceId }) => deviceId, 'bigint')},
      ${column(changes, ({ rule }) => rule, 'text')},
      ${column(changes, ({ since }) => since, 'bigint')},
      ${column(changes, ({ until }) => until ?? null, 'bigint')},
      ${column(changes, toJson, 'text')}
    ) given (device_id, rule, since_ms, until_ms, detail)
    join device on device.id = given.device_id
    on conflict do nothing returning ${returned}`.execute(db)
  return rows.map(toChange)
}

/** Ends open findings; returns those that it ended. */
export async function endFindings(
  db: Database,
  ends: readonly FindingEnd[],
): Promise<readonly FindingChange[]> {
  const { rows } = await sql<Row>`
    update telemetry_finding finding set until_ms = greatest(given.until_ms, finding.since_ms)
    from unnest(
      ${column(ends, ({ deviceId }) => deviceId, 'bigint')},
      ${column(ends, ({ rule }) => rule, 'text')},
      ${column(ends, ({ until }) => until, 'bigint')}
    ) given (device_id, rule, until_ms)
    where finding.device_id = given.device_id and finding.rule = given.rule and finding.until_ms is null
    returning ${returned}`.execute(db)
  return rows.map(toChange)
}

/** Open findings of devices of companies that this server serves. */
export async function listOpenFindings(db: Database): Promise<readonly FindingChange[]> {
  const rows = await db
    .selectFrom('telemetry_finding')
    .select(['device_id', 'rule', 'since_ms', 'until_ms', 'detail'])
    .where('until_ms', 'is', null)
    .where(isServedDevice('device_id'))
    .execute()
  return rows.map(toChange)
}

/** Number of findings that persist, by device. */
export async function countOpenFindings(
  db: Database,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (deviceIds.length === 0) return new Map()
  const { rows } = await sql<{ device_id: number; count: number }>`
    select device_id, count(*)::int as count from telemetry_finding
    where until_ms is null and device_id = any(${[...deviceIds]}::bigint[]) group by device_id`.execute(db)
  return new Map(rows.map(({ device_id, count }) => [device_id, count]))
}
