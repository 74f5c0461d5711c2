import { defaultRoomRules, type RoomRules } from '@isotherm/contract/rooms/room-bands'
import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import { writeSetting } from '../../../platform/operation/write-setting.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { listAbove, ROOT_PATH } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import { lockNodeAt, toNodeKey } from '../../network/index.ts'
import type {} from '../tables.ts'

/** Rules that apply at a path. */
export interface FoundRules {
  readonly rules: RoomRules
  /** Absent for the default rules. */
  readonly node?: string
  readonly nodeName?: string
  /** Version of the rules of the path's own node; 0 if it has none. */
  readonly version: number
}

/** The lowest path at or above all of `paths`. */
export function toCommonPath(paths: readonly string[]): string {
  const [first = ROOT_PATH, ...others] = paths
  const candidates = [...listAbove(first), first].toReversed()
  return candidates.find((path) => others.every((other) => other.startsWith(path))) ?? ROOT_PATH
}

interface Row {
  readonly id: number
  readonly uuid: string | null
  readonly address: string | null
  readonly name: string
  readonly path: string
  readonly rules: RoomRules
  readonly version: number
}

/** A path; for everything, that of the only project. */
async function toPlace(db: Database, path: string): Promise<string> {
  if (path !== ROOT_PATH) return path
  const projects = await db.selectFrom('node').select('path').where('level', '=', 1).limit(2).execute()
  return projects.length === 1 ? (projects[0]?.path ?? path) : path
}

/** Stated rules at places that match, the highest first. */
async function readRows(db: Database, matching: RawBuilder<SqlBool>): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select node.id, node.uuid::text as uuid, node.address, node.name, node.path, stated.rules, stated.version
    from room_rules stated join node on node.id = stated.node_id
    where ${matching} order by length(node.path)`.execute(db)
  return rows
}

const isAtOrAbove = (path: string) => sql<SqlBool>`node.path = any(${[...listAbove(path), path]}::text[])`

function toFound(row: Row | undefined, at: string): FoundRules {
  if (!row) return { rules: defaultRoomRules, version: 0 }
  const { name, path, rules, version, ...key } = row
  return { rules, node: toNodeKey(key), nodeName: name, version: path === at ? version : 0 }
}

/** Rules of the nearest node at or above a path; for everything, those of the only project. */
export async function findRules(db: Database, path: string): Promise<FoundRules> {
  const at = await toPlace(db, path)
  return toFound((await readRows(db, isAtOrAbove(at))).at(-1), at)
}

/** Rules of a selection. */
export interface SelectionRules {
  /** Those at the lowest node at or above the whole selection. */
  readonly placed: FoundRules
  /** Those that judge a device: of the nearest node at or above it. */
  rulesAt(devicePath: string): RoomRules
}

/** How many other rules than those of the selection judge some of its rooms. */
export const countOtherRules = (rooms: readonly { readonly rules: RoomRules }[], own: RoomRules): number =>
  new Set(rooms.map(({ rules }) => rules).filter((rules) => rules !== own)).size

export async function findSelectionRules(db: Database, paths: readonly string[]): Promise<SelectionRules> {
  const at = await toPlace(db, toCommonPath(paths))
  const rows = await readRows(db, sql`(${isAtOrAbove(at)} or starts_with(node.path, ${at}))`)
  const placed = toFound(
    rows.findLast(({ path }) => at.startsWith(path)),
    at,
  )
  const below = new Map(
    rows.filter(({ path }) => path.length > at.length).map(({ path, rules }) => [path, rules]),
  )
  return {
    placed,
    rulesAt(devicePath) {
      if (below.size === 0) return placed.rules
      for (let end = devicePath.length; end > 1; end = devicePath.lastIndexOf('/', end - 2) + 1) {
        const own = below.get(devicePath.slice(0, end))
        if (own) return own
      }
      return placed.rules
    },
  }
}

/** States the rules of the node at a path, based on a version. Returns whether the node exists. Throws entity.stale. */
export async function setRules(
  transaction: Transaction<Tables>,
  path: string,
  { rules, version }: { readonly rules: RoomRules; readonly version: number },
): Promise<boolean> {
  const node = await lockNodeAt(transaction, path)
  if (!node) return false
  const of = { table: 'node', id: node.id, column: 'node_id' } as const
  const values = { rules: JSON.stringify(rules) }
  await writeSetting(transaction, { table: 'room_rules', entity: 'room-rules', of, version }, values)
  return true
}
