import { type SqlBool, sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset, toTotal } from '../../../platform/postgres/filter.pg.ts'
import { isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import { ROOT_PATH, type Scope, splitPaths } from '../../../platform/scope/scope.ts'
import { matching, withSearchLimits } from './device-conditions.pg.ts'
import type { DeviceLabel, DeviceQuery, DeviceSelectionQuery, StoredDevice } from './device-query.ts'
import { deviceFields, devicesIn, isInUse, selectDevices, toDevice } from './device-rows.pg.ts'
import { findByNumber, MAX_SCANNED } from './device-text.pg.ts'
import { type CountBelow, countMatching, findCounts, isMoreThan } from './device-totals.pg.ts'
import { findPagePlaces } from './page-places.pg.ts'

/**
 * Condition that a node is in the subtree at one path, as a range of the tree's order: a page of it then needs no sort
 * of the whole subtree. True for several paths, a device path and the root. '{' follows every character of a sort path.
 */
function isInOrderBelow(paths: readonly string[]) {
  const [path] = splitPaths(paths).nodePaths
  if (paths.length !== 1 || path === undefined || path === ROOT_PATH) return sql<SqlBool>`true`
  const ofTop = (column: string) => sql`(select ${sql.ref(column)} from node where path = ${path})`
  return sql<SqlBool>`(node.company_id = ${ofTop('company_id')} and node.sort_path >= ${ofTop('sort_path')}
    and node.sort_path < ${ofTop('sort_path')} || '{')`
}

const treeOrder = sql`node.company_id, node.sort_path, device.serial`

/** The same order without the index: for many places, walking the whole tree finds few of their nodes. */
const treeOrderBySorting = sql`node.company_id + 0, node.sort_path, device.serial`
/** Up to this many places a walk in tree order finds a page quickly. */
const MAX_WALKED_PLACES = 8

function toOrder({ order, paths, ids }: DeviceQuery) {
  if (!order) return ids || paths.length > MAX_WALKED_PLACES ? treeOrderBySorting : treeOrder
  const field = Object.hasOwn(deviceFields, order.column) ? deviceFields[order.column] : undefined
  if (!field) throw new AppError('filter.unknown-field', { field: order.column })
  const direction = order.desc ? sql`desc` : sql`asc`
  if (order.column === 'id') return sql`device.id ${direction}`
  // Only sort_path holds the proper order of Chinese names; here the order of their code points is enough.
  return sql`${field.column} ${direction} nulls last, ${treeOrder}`
}

const pageOf = (db: Database, scope: Scope, query: DeviceQuery, offset = toOffset(query.limiter)) =>
  matching(db, scope, query)
    .$if(query.order === undefined, (found) => found.where(isInOrderBelow(query.paths)))
    .orderBy(toOrder(query))
    .limit(query.limiter.size)
    .offset(offset)

/** Condition that a device's serial or IMEI is one of the names. The indexes of search.pg.ts serve it. */
const isNamed = (names: readonly string[]) => {
  const lower = names.map((name) => name.toLowerCase())
  return sql<SqlBool>`(
    (lower(device.serial) collate "C" = any(${lower}::text[]) and device.serial = any(${[...names]}::text[]))
    or (lower(device.imei) collate "C" = any(${lower}::text[]) and device.imei = any(${[...names]}::text[])))`
}

/** For up to this many places the database counts; for more the counts in memory are used. */
const MAX_COUNTED = 100

/** What lists of devices are read from. */
export interface DeviceSource {
  readonly db: Database
  readonly countBelow: CountBelow
}

/** Among few devices a text is compared with each; among many it is found by the indexes of the numbers. */
export async function narrowText<Query extends DeviceSelectionQuery>(
  { db, countBelow }: DeviceSource,
  query: Query,
): Promise<Query> {
  const { text, paths, ids } = query
  if (!text || !isMoreThan(countBelow, paths, MAX_SCANNED)) return query
  const found = await findByNumber(db, text)
  const given = ids && new Set(ids)
  return { ...query, text: undefined, ids: given ? found.filter((id) => given.has(id)) : found }
}

/** The rows of a page, and the number of devices on all pages. */
async function readPage<Row>(
  { db, countBelow }: DeviceSource,
  scope: Scope,
  query: DeviceQuery,
  read: (page: ReturnType<typeof pageOf>) => Promise<Row[]>,
): Promise<{ readonly rows: Row[]; readonly total: number }> {
  const search = async (bounded: Database) => {
    const places = await findPagePlaces(bounded, countBelow, scope, query)
    if (places) {
      const part = pageOf(bounded, scope, { ...query, paths: places.paths }, places.offset)
      return { rows: places.paths.length === 0 ? [] : await read(part), total: places.total }
    }
    const narrowed = await narrowText({ db: bounded, countBelow }, query)
    const rows = await read(pageOf(bounded, scope, narrowed))
    const count = () => countMatching(bounded, countBelow, scope, narrowed)
    return { rows, total: await toTotal(narrowed.limiter, rows.length, count) }
  }
  const isPlain = !query.text && !query.order && (query.filter ?? []).length === 0
  return isPlain ? search(db) : withSearchLimits(db, query, search)
}

/** A page and the number of all matches. Throws filter.unknown-field, filter.bad-pattern and filter.too-wide. */
export async function listDevices(
  source: DeviceSource,
  scope: Scope,
  query: DeviceQuery,
): Promise<{ readonly rows: StoredDevice[]; readonly total: number }> {
  const { rows, total } = await readPage(source, scope, query, (page) => selectDevices(page).execute())
  return { rows: rows.map(toDevice), total }
}

/** As listDevices, only the ids. */
export async function listDeviceIds(
  source: DeviceSource,
  scope: Scope,
  query: DeviceQuery,
): Promise<{ readonly ids: number[]; readonly total: number }> {
  const { rows, total } = await readPage(source, scope, query, (page) => page.select('device.id').execute())
  return { ids: rows.map(({ id }) => id), total }
}

/** As listDeviceIds, without the count of all matches, which takes longer. */
export async function listFirstDeviceIds(
  { db, countBelow }: DeviceSource,
  scope: Scope,
  query: DeviceQuery,
): Promise<readonly number[]> {
  const search = async (bounded: Database) => {
    const narrowed = await narrowText({ db: bounded, countBelow }, query)
    return pageOf(bounded, scope, narrowed).select('device.id').execute()
  }
  return (await withSearchLimits(db, query, search)).map(({ id }) => id)
}

/** Those of `ids` that the scope covers, in no order. */
export async function findDevices(
  db: Database,
  scope: Scope,
  ids: readonly number[],
): Promise<StoredDevice[]> {
  const found = devicesIn(db, scope).where(sql<SqlBool>`device.id = any(${[...ids]}::bigint[])`)
  return (await selectDevices(found).execute()).map(toDevice)
}

/** Labels of the existing ones of `ids`, in no order. Checks no scope: the caller has checked it. */
export const listDeviceLabels = (db: Database, ids: readonly number[]): Promise<DeviceLabel[]> =>
  db
    .selectFrom('device')
    .innerJoin('node', 'node.id', 'device.node_id')
    .where(sql<SqlBool>`device.id = any(${[...ids]}::bigint[])`)
    .select(['device.id', 'device.serial as imei', 'device.name', 'node.nestaddr'])
    .execute()

/** Devices of any company whose serial or IMEI is one of the names, in no order. */
export async function findNamedDevices(
  db: Database,
  scope: Scope,
  names: readonly string[],
): Promise<StoredDevice[]> {
  const found = devicesIn(db, scope).where(isNamed(names))
  return (await selectDevices(found).execute()).map(toDevice)
}

/** Limits the question to one company, to the company of a path, or to nothing. */
export interface CompanyOfNumber {
  readonly companyId?: number | undefined
  readonly path?: string | undefined
}

/** Whether a device has this serial or IMEI. Does not reveal which device, so no scope is checked. */
export async function isNumberTaken(
  db: Database,
  name: string,
  { companyId, path }: CompanyOfNumber,
): Promise<boolean> {
  // A path starts with the id of a project, and a project has one company.
  const project = path?.split('/')[1]
  const inCompany = project
    ? sql<SqlBool>`company_id = (select company_id from node where id = ${Number(project)})`
    : sql<SqlBool>`(${companyId ?? null}::bigint is null or company_id = ${companyId ?? null})`
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from device where ${isNamed([name])} and ${inCompany}) as taken`.execute(db)
  return rows[0]?.taken ?? false
}

/** The number of devices in use below each path that the scope covers, by path. */
export async function countDevices(
  { db, countBelow }: DeviceSource,
  scope: Scope,
  paths: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const known = paths.length > MAX_COUNTED ? findCounts(countBelow, scope, paths) : undefined
  if (known) return known
  // '0' follows '/', so a subtree is one range of the index on paths.
  const { rows } = await sql<{ path: string; devices: number }>`
    select requested.path, count(device.id) as devices
    from unnest(${[...paths]}::text[]) requested (path)
    join node on node.path >= requested.path collate "C" and node.path < (rtrim(requested.path, '/') || '0') collate "C"
    join device on device.node_id = node.id and ${isDeviceInScope(scope)} and ${isInUse}
    group by requested.path`.execute(db)
  return new Map(rows.map(({ path, devices }) => [path, devices]))
}

/** Ids of the station controllers in use, ascending, by node. Nodes without one are absent. Checks no scope. */
export async function listControllers(
  db: Database,
  nodeIds: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await db
    .selectFrom('device')
    .where(sql<SqlBool>`device.kind = 'station'`)
    .where(isInUse)
    .where(sql<SqlBool>`device.node_id = any(${[...nodeIds]}::bigint[])`)
    .select(['device.node_id as nodeId', 'device.id'])
    .orderBy('device.id')
    .execute()
  const byNode = Map.groupBy(rows, ({ nodeId }) => nodeId)
  return new Map([...byNode].map(([nodeId, on]) => [nodeId, on.map(({ id }) => id)]))
}
