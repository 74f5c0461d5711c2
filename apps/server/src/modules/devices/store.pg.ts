import { type DeviceKind, deviceKind } from '@isotherm/contract/devices'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import { toConditions, toOffset, toTotal, withPatterns } from '../../platform/filter.pg.ts'
import { isDeviceBelow, isDeviceInScope } from '../../platform/scope.pg.ts'
import { covers, narrow, ROOT_PATH, type Scope, splitPaths, toDisjointPaths } from '../../platform/scope.ts'
import { deviceFields, devicesIn, isInUse, selectDevices, toDevice } from './device-rows.pg.ts'
import type { DeviceQuery, DeviceSelectionQuery, DeviceStore } from './store.ts'

const toPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const hasText = (text: string) => {
  const pattern = toPattern(text)
  return sql<SqlBool>`(device.name ilike ${pattern} or device.serial ilike ${pattern}
    or device.imei like ${pattern} or device.meter_no ilike ${pattern})`
}

function matching(db: Database, scope: Scope, query: DeviceSelectionQuery) {
  const { paths, kinds, use, text, filter = [] } = query
  let found = devicesIn(db, scope).where(isDeviceBelow(paths)).where(toConditions(deviceFields, filter))
  if (kinds) found = found.where(sql<SqlBool>`device.kind = any(${[...kinds]}::text[])`)
  if (use) found = found.where(use === 'in-use' ? isInUse : sql<SqlBool>`not ${isInUse}`)
  if (text) found = found.where(hasText(text))
  return found
}

async function countMatching(db: Database, scope: Scope, query: DeviceQuery): Promise<number> {
  const { total } = await matching(db, scope, query)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

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

const pageOf = (db: Database, scope: Scope, query: DeviceQuery) =>
  matching(db, scope, query)
    .where(isInOrderBelow(query.paths))
    .orderBy('node.company_id')
    .orderBy('node.sort_path')
    .orderBy('device.serial')
    .limit(query.limiter.size)
    .offset(toOffset(query.limiter))

/** Condition that a device goes by one of the names; the indexes of search.pg.ts serve it. */
const isNamed = (names: readonly string[]) => {
  const lower = names.map((name) => name.toLowerCase())
  return sql<SqlBool>`(
    (lower(device.serial) collate "C" = any(${lower}::text[]) and device.serial = any(${[...names]}::text[]))
    or (lower(device.imei) collate "C" = any(${lower}::text[]) and device.imei = any(${[...names]}::text[])))`
}

/** How many devices in use stand below a path, where that is known without looking; see DeviceDirectory. */
type CountBelow = (path: string, kinds: readonly DeviceKind[]) => number | undefined

/** The total of a query that asks for nothing but places and kinds, from what is known of these. */
function findTotal(countBelow: CountBelow, scope: Scope, query: DeviceQuery): number | undefined {
  const { paths, kinds, use, text, filter = [] } = query
  if (!kinds || use !== 'in-use' || text || filter.length > 0) return undefined
  let total = 0
  for (const path of toDisjointPaths(paths)) {
    const count = covers(scope, path) ? countBelow(path, kinds) : undefined
    if (count === undefined) return undefined
    total += count
  }
  return total
}

/** Devices below each of so many places are counted as they are stored; of more what is known of them is given. */
const FEW_PLACES = 100

/** Devices in use below each path as far as the scope covers it; undefined when any of them is not known. */
function findCounts(
  countBelow: CountBelow,
  scope: Scope,
  paths: readonly string[],
): ReadonlyMap<string, number> | undefined {
  const counts = new Map<string, number>()
  for (const path of paths) {
    let total = 0
    for (const part of narrow(scope, path)) {
      const count = countBelow(part, deviceKind.options)
      if (count === undefined) return undefined
      total += count
    }
    counts.set(path, total)
  }
  return counts
}

export function createDeviceStore(db: Database, countBelow: CountBelow): DeviceStore {
  const countAll = async (bounded: Database, scope: Scope, query: DeviceQuery): Promise<number> =>
    findTotal(countBelow, scope, query) ?? countMatching(bounded, scope, query)

  return {
    list: (scope, query) =>
      withPatterns(db, query.filter ?? [], async (bounded) => {
        const rows = await selectDevices(pageOf(bounded, scope, query)).execute()
        const total = await toTotal(query.limiter, rows.length, () => countAll(bounded, scope, query))
        return { rows: rows.map(toDevice), total }
      }),

    listIds: (scope, query) =>
      withPatterns(db, query.filter ?? [], async (bounded) => {
        const rows = await pageOf(bounded, scope, query).select('device.id').execute()
        const total = await toTotal(query.limiter, rows.length, () => countAll(bounded, scope, query))
        return { ids: rows.map(({ id }) => id), total }
      }),

    async find(scope, ids) {
      const found = devicesIn(db, scope).where(sql<SqlBool>`device.id = any(${[...ids]}::bigint[])`)
      return (await selectDevices(found).execute()).map(toDevice)
    },

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

    async findControllers(scope, nodeIds) {
      if (nodeIds.length === 0) return new Map()
      const rows = await devicesIn(db, scope)
        .where(sql<SqlBool>`device.kind = 'station'`)
        .where(isInUse)
        .where(sql<boolean>`device.node_id = any(${[...nodeIds]}::bigint[])`)
        .select(['device.node_id as nodeId', 'device.id'])
        .orderBy('device.id', 'desc')
        .execute()
      // With two on one node the one that came first counts.
      return new Map(rows.map(({ nodeId, id }) => [nodeId, id]))
    },
  }
}
