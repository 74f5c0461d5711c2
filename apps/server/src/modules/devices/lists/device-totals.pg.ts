import { type DeviceKind, deviceKind } from '@isotherm/contract/devices'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isDeviceBelow, isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import {
  createCover,
  isInside,
  narrow,
  ROOT_PATH,
  type Scope,
  toDisjointPaths,
} from '../../../platform/scope/scope.ts'
import { matching } from './device-conditions.pg.ts'
import type { DeviceSelectionQuery } from './device-query.ts'
import { isInUse } from './device-rows.pg.ts'

/** The number of devices in use below a path; undefined where memory does not hold it. See DeviceDirectory. */
export type CountBelow = (path: string, kinds: readonly DeviceKind[]) => number | undefined

/** Condition that a device has one of the kinds; true without kinds. */
export const isOfKinds = (kinds: readonly DeviceKind[] | undefined) =>
  kinds ? sql<SqlBool>`device.kind = any(${[...kinds]}::text[])` : sql<SqlBool>`true`

/** Counts devices by place and kind only, so that concentrators need not be joined. */
async function countPlaced(
  db: Database,
  scope: Scope,
  { paths, kinds }: Pick<DeviceSelectionQuery, 'paths' | 'kinds'>,
  isCounted: ReturnType<typeof isOfKinds>,
): Promise<number> {
  const isEverything = scope.kind === 'all' && paths.includes(ROOT_PATH)
  const places = isEverything ? sql`device` : sql`device join node on node.id = device.node_id`
  const isVisible = isInside(scope, paths) ? sql`true` : isDeviceInScope(scope)
  const isPlaced = isEverything ? sql`true` : sql`${isVisible} and ${isDeviceBelow(paths)}`
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${places}
    where ${isCounted} and ${isOfKinds(kinds)} and ${isPlaced}`.execute(db)
  return rows[0]?.total ?? 0
}

/**
 * The number of devices that a query selects. Memory holds the counts of devices in use, except for places low in the tree,
 * which have few devices; retired devices have their own index. Only a text, a filter or a list of ids tests every device.
 */
export async function countMatching(
  db: Database,
  countBelow: CountBelow,
  scope: Scope,
  query: DeviceSelectionQuery,
): Promise<number> {
  const { paths, kinds, use, text, ids, filter = [] } = query
  if (text || ids || filter.length > 0) {
    const counted = matching(db, scope, query).select((eb) => eb.fn.countAll<number>().as('total'))
    return (await counted.executeTakeFirstOrThrow()).total
  }
  let total = 0
  if (use !== 'in-use') total += await countPlaced(db, scope, query, sql<SqlBool>`not ${isInUse}`)
  if (use === 'retired') return total
  const isCovered = scope.kind === 'all' ? () => true : createCover(scope.paths)
  const unknown: string[] = []
  for (const path of toDisjointPaths(paths)) {
    const count = isCovered(path) ? countBelow(path, kinds ?? deviceKind.options) : undefined
    if (count === undefined) unknown.push(path)
    else total += count
  }
  if (unknown.length === 0) return total
  return total + (await countPlaced(db, scope, { paths: unknown, kinds }, isInUse))
}

/** The number of devices in use below each path within the scope; undefined when memory does not hold one of them. */
export function findCounts(
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

/** Whether more than `most` devices in use are below paths. A place with a count that memory does not hold counts as empty. */
export function isMoreThan(countBelow: CountBelow, paths: readonly string[], most: number): boolean {
  let total = 0
  for (const path of toDisjointPaths(paths)) total += countBelow(path, deviceKind.options) ?? 0
  return total > most
}
