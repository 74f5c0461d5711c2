import { type DeviceKind, deviceKind } from '@isotherm/contract/devices'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset } from '../../../platform/postgres/filter.pg.ts'
import { devicePath, isDeviceBelow } from '../../../platform/scope/scope.pg.ts'
import { isInside, type Scope, splitPaths, toDisjointPaths } from '../../../platform/scope/scope.ts'
import type { DeviceQuery } from './device-query.ts'
import { isInUse } from './device-rows.pg.ts'
import { type CountBelow, isOfKinds } from './device-totals.pg.ts'

/** For up to this many places the database finds a page in order by itself. */
const FEW_PLACES = 8
/** At most this many devices are read one by one to count them by place. */
const MAX_DEVICES_READ = 10_000

/** The places a page is read from, and its offset within them. */
export interface PagePlaces {
  readonly paths: readonly string[]
  readonly offset: number
  /** The number of devices on all pages. */
  readonly total: number
}

/** Places in tree order. Everything below one place comes before the next place. */
async function listInOrder(db: Database, paths: readonly string[]): Promise<readonly string[]> {
  const { nodePaths, deviceIds } = splitPaths(paths)
  const { rows } = await sql<{ path: string }>`
    select path from (
      select path, company_id, sort_path, '' as serial from node where path = any(${[...nodePaths]}::text[])
      union all
      select ${devicePath}, node.company_id, node.sort_path, device.serial from device
      join node on node.id = device.node_id where device.id = any(${[...deviceIds]}::bigint[])) place
    order by company_id, sort_path, serial`.execute(db)
  return rows.map(({ path }) => path)
}

/** Paths of devices below places; undefined when there are more than MAX_DEVICES_READ. */
async function listDevices(
  db: Database,
  paths: readonly string[],
  {
    kinds,
    isCounted,
  }: { readonly kinds: readonly DeviceKind[] | undefined; readonly isCounted: SqlCondition },
): Promise<readonly string[] | undefined> {
  if (paths.length === 0) return []
  const { rows } = await sql<{ path: string }>`
    select ${devicePath} as path from device join node on node.id = device.node_id
    where ${isCounted} and ${isOfKinds(kinds)} and ${isDeviceBelow(paths)}
    limit ${MAX_DEVICES_READ + 1}`.execute(db)
  return rows.length > MAX_DEVICES_READ ? undefined : rows.map(({ path }) => path)
}

type SqlCondition = ReturnType<typeof sql<SqlBool>>

/**
 * Finds which of many places one page of devices comes from, by the number of devices below each place. The other
 * places are then not read. Undefined when a count is unknown, when there are few places, and when the query has other
 * conditions than places and kinds: then the database finds the page.
 */
export async function findPagePlaces(
  db: Database,
  countBelow: CountBelow,
  scope: Scope,
  { paths, kinds, use, text, ids, order, filter = [], limiter }: DeviceQuery,
): Promise<PagePlaces | undefined> {
  const isPlain = use !== 'retired' && !text && !ids && !order && filter.length === 0
  if (!isPlain || paths.length <= FEW_PLACES || !isInside(scope, paths)) return undefined
  const places = await listInOrder(db, toDisjointPaths(paths))
  const counts = new Map<string, number>()
  const unknown: string[] = []
  for (const path of places) {
    const count = countBelow(path, kinds ?? deviceKind.options)
    if (count === undefined) unknown.push(path)
    counts.set(path, count ?? 0)
  }
  const few = await listDevices(db, unknown, { kinds, isCounted: isInUse })
  const retired = use ? [] : await listDevices(db, places, { kinds, isCounted: sql<SqlBool>`not ${isInUse}` })
  if (!few || !retired) return undefined
  for (const path of [...few, ...retired]) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const count = counts.get(path.slice(0, at + 1))
      if (count !== undefined) counts.set(path.slice(0, at + 1), count + 1)
    }
  }
  const [start, end] = [toOffset(limiter), toOffset(limiter) + limiter.size]
  const chosen: string[] = []
  let [total, offset] = [0, 0]
  for (const [path, count] of counts) {
    if (count > 0 && total < end && total + count > start) {
      if (chosen.length === 0) offset = start - total
      chosen.push(path)
    }
    total += count
  }
  return { paths: chosen, offset, total }
}
