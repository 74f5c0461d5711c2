import { type SqlBool, sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset, toTotal } from '../../../platform/postgres/filter.pg.ts'
import { isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import { ROOT_PATH, type Scope, splitPaths } from '../../../platform/scope/scope.ts'
import { matching, withinLook } from './device-conditions.pg.ts'
import type { DeviceQuery, DeviceStore } from './device-query.ts'
import { deviceFields, devicesIn, isInUse, selectDevices, toDevice } from './device-rows.pg.ts'
import { findNumbered, MOST_LOOKED_THROUGH } from './device-text.pg.ts'
import { type CountBelow, countMatching, findCounts, isMoreThan } from './device-totals.pg.ts'
import { findPagePlaces } from './page-places.pg.ts'

/**
 * The subtree at a path as a range of the tree's order, so that a page of it needs no sorting of all that is in
 * it; true for anything else. '{' follows every sign of a sort path.
 */
function isInOrderBelow(paths: readonly string[]) {
  const [path] = splitPaths(paths).nodePaths
  if (paths.length !== 1 || path === undefined || path === ROOT_PATH) return sql<SqlBool>`true`
  const ofTop = (column: string) => sql`(select ${sql.ref(column)} from node where path = ${path})`
  return sql<SqlBool>`(node.company_id = ${ofTop('company_id')} and node.sort_path >= ${ofTop('sort_path')}
    and node.sort_path < ${ofTop('sort_path')} || '{')`
}

const treeOrder = sql`node.company_id, node.sort_path, device.serial`

/** The same where no index is to serve it: below many places few of all nodes stand, in the walk of the tree too. */
const treeOrderBySorting = sql`node.company_id + 0, node.sort_path, device.serial`
/** Of so few places a walk in the order of the tree finds a page. */
const FEW_WALKED = 8

function toOrder({ order, paths, ids }: DeviceQuery) {
  if (!order) return ids || paths.length > FEW_WALKED ? treeOrderBySorting : treeOrder
  const field = Object.hasOwn(deviceFields, order.column) ? deviceFields[order.column] : undefined
  if (!field) throw new AppError('filter.unknown-field', { field: order.column })
  const direction = order.desc ? sql`desc` : sql`asc`
  if (order.column === 'id') return sql`device.id ${direction}`
  // Chinese names have the order of the tree only there; here that of their characters serves.
  return sql`${field.column} ${direction} nulls last, ${treeOrder}`
}

const pageOf = (db: Database, scope: Scope, query: DeviceQuery, offset = toOffset(query.limiter)) =>
  matching(db, scope, query)
    .$if(query.order === undefined, (found) => found.where(isInOrderBelow(query.paths)))
    .orderBy(toOrder(query))
    .limit(query.limiter.size)
    .offset(offset)

/** Condition that a device goes by one of the names; the indexes of search.pg.ts serve it. */
const isNamed = (names: readonly string[]) => {
  const lower = names.map((name) => name.toLowerCase())
  return sql<SqlBool>`(
    (lower(device.serial) collate "C" = any(${lower}::text[]) and device.serial = any(${[...names]}::text[]))
    or (lower(device.imei) collate "C" = any(${lower}::text[]) and device.imei = any(${[...names]}::text[])))`
}

/** Devices below each of so many places are counted as they are stored; of more what is known of them is given. */
const FEW_PLACES = 100

export function createDeviceStore(db: Database, countBelow: CountBelow): DeviceStore {
  /** A text is looked for in each device where these are few; among many the indexes of the numbers know it. */
  async function narrowText(bounded: Database, query: DeviceQuery): Promise<DeviceQuery> {
    const { text, paths } = query
    if (!text || !isMoreThan(countBelow, paths, MOST_LOOKED_THROUGH)) return query
    return { ...query, text: undefined, ids: await findNumbered(bounded, text) }
  }

  /** Rows of a page and how many devices there are on all pages. */
  async function readPage<Row>(
    scope: Scope,
    asked: DeviceQuery,
    read: (page: ReturnType<typeof pageOf>) => Promise<Row[]>,
  ): Promise<{ readonly rows: Row[]; readonly total: number }> {
    const look = async (bounded: Database) => {
      const places = await findPagePlaces(bounded, countBelow, scope, asked)
      if (places) {
        const part = pageOf(bounded, scope, { ...asked, paths: places.paths }, places.offset)
        return { rows: places.paths.length === 0 ? [] : await read(part), total: places.total }
      }
      const query = await narrowText(bounded, asked)
      const rows = await read(pageOf(bounded, scope, query))
      const count = () => countMatching(bounded, countBelow, scope, query)
      return { rows, total: await toTotal(query.limiter, rows.length, count) }
    }
    const isPlain = !asked.text && !asked.order && (asked.filter ?? []).length === 0
    return isPlain ? look(db) : withinLook(db, asked, look)
  }

  return {
    async list(scope, query) {
      const { rows, total } = await readPage(scope, query, (page) => selectDevices(page).execute())
      return { rows: rows.map(toDevice), total }
    },

    async listIds(scope, query) {
      const { rows, total } = await readPage(scope, query, (page) => page.select('device.id').execute())
      return { ids: rows.map(({ id }) => id), total }
    },

    async listFirstIds(scope, query) {
      const look = (bounded: Database) => pageOf(bounded, scope, query).select('device.id').execute()
      return (await withinLook(db, query, look)).map(({ id }) => id)
    },

    async find(scope, ids) {
      const found = devicesIn(db, scope).where(sql<SqlBool>`device.id = any(${[...ids]}::bigint[])`)
      return (await selectDevices(found).execute()).map(toDevice)
    },

    listLabels: (ids) =>
      db
        .selectFrom('device')
        .innerJoin('node', 'node.id', 'device.node_id')
        .where(sql<SqlBool>`device.id = any(${[...ids]}::bigint[])`)
        .select(['device.id', 'device.serial as imei', 'device.name', 'node.nestaddr'])
        .execute(),

    async findNamed(scope, names) {
      const found = devicesIn(db, scope).where(isNamed(names))
      return (await selectDevices(found).execute()).map(toDevice)
    },

    async isTaken(name, { companyId, path }) {
      // A path begins with the project, which is of the company.
      const project = path?.split('/')[1]
      const inCompany = project
        ? sql<SqlBool>`company_id = (select company_id from node where id = ${Number(project)})`
        : sql<SqlBool>`(${companyId ?? null}::bigint is null or company_id = ${companyId ?? null})`
      const { rows } = await sql<{ taken: boolean }>`
        select exists (select from device where ${isNamed([name])} and ${inCompany}) as taken`.execute(db)
      return rows[0]?.taken ?? false
    },

    async count(scope, paths) {
      const known = paths.length > FEW_PLACES ? findCounts(countBelow, scope, paths) : undefined
      if (known) return known
      // '0' follows '/': what is below a path is a range of the index on paths.
      const { rows } = await sql<{ path: string; devices: number }>`
        select asked.path, count(device.id) as devices
        from unnest(${[...paths]}::text[]) asked (path)
        join node on node.path >= asked.path collate "C" and node.path < (rtrim(asked.path, '/') || '0') collate "C"
        join device on device.node_id = node.id and ${isDeviceInScope(scope)} and ${isInUse}
        group by asked.path`.execute(db)
      return new Map(rows.map(({ path, devices }) => [path, devices]))
    },

    async listControllers(nodeIds) {
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
    },
  }
}
