import { type DeviceKind, deviceKind } from '@isotherm/contract/devices'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset } from '../../../platform/postgres/filter.pg.ts'
import { devicePath, isDeviceBelow } from '../../../platform/scope/scope.pg.ts'
import { isInside, type Scope, splitPaths, toDisjointPaths } from '../../../platform/scope/scope.ts'
import type { DeviceQuery } from './device-query.ts'
import { isInUse } from './device-rows.pg.ts'
import { type CountBelow, isOfKinds } from './device-totals.pg.ts'

/** Of so few places the database finds a page in order itself. */
const FEW_PLACES = 8
/** Devices that are looked at one by one to know how many stand below each place. */
const MOST_LOOKED_AT = 10_000

/** The places a page comes from, and where it begins in them. */
export interface PagePlaces {
  readonly paths: readonly string[]
  readonly offset: number
  /** Devices on all pages. */
  readonly total: number
}

/** Places in tree order; what is below one comes before the next. */
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

/** Paths of devices below places; undefined when they are too many to be looked at. */
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
    limit ${MOST_LOOKED_AT + 1}`.execute(db)
  return rows.length > MOST_LOOKED_AT ? undefined : rows.map(({ path }) => path)
}

type SqlCondition = ReturnType<typeof sql<SqlBool>>

/**
 * Which of many places a page of all devices below them comes from, by how many stand below each: so that the others
 * are not looked at. Undefined where that is not known, and where the database had better find the page: for few
 * places, and for what is asked by more than places and kinds.
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
