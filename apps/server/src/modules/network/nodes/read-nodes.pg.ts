import { type NodeKey, parseNodeKey } from '@isotherm/contract/tree'
import { type Kysely, sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { createNetworkStore } from '../answers/store.pg.ts'

const columns = [
  'id',
  'name',
  'level',
  'kind',
  'parent_id as parentId',
  'path',
  'description',
  'version',
] as const

/** A project as it is stored. Throws node.not-found. */
export async function readProject(db: Kysely<Tables>, id: number) {
  const row = await db
    .selectFrom('node')
    .select(columns)
    .where('id', '=', id)
    .where('kind', '=', 'project')
    .executeTakeFirst()
  if (!row) throw new AppError('node.not-found')
  return row
}

/** A group as it is stored. Throws node.not-found. */
export async function readGroup(db: Kysely<Tables>, id: number) {
  const row = await db
    .selectFrom('node')
    .select(columns)
    .where('id', '=', id)
    .where('kind', '=', 'group')
    .executeTakeFirst()
  if (!row || row.parentId === null) throw new AppError('node.not-found')
  return { ...row, parentId: row.parentId }
}

/** Of the nodes directly below one, that of the highest level. */
export const findHighestBelow = (db: Kysely<Tables>, id: number) =>
  db
    .selectFrom('node')
    .select(['name', 'level', 'kind'])
    .where('parent_id', '=', id)
    .orderBy('level')
    .limit(1)
    .executeTakeFirst()

/** Ids of a sub-user and its addresses. */
export async function listIdsOfSubUser(db: Kysely<Tables>, uuid: string): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('node')
    .select('id')
    .where(sql<boolean>`uuid = ${uuid}::uuid`)
    .where('kind', 'in', ['sub-user', 'address'])
    .execute()
  return rows.map(({ id }) => id)
}

/** Number of a node by its key. Throws node.not-found. */
export async function findNodeId(db: Database, key: NodeKey): Promise<number> {
  const name = parseNodeKey(key)
  if (name.kind === 'root' || name.kind === 'invalid') throw new AppError('node.not-found')
  const [found] = await createNetworkStore(db).findNamed([name])
  if (!found) throw new AppError('node.not-found')
  return found.id
}

/** Number of a sub-user. Throws node.not-found. */
export async function findSubUser(db: Kysely<Tables>, uuid: string): Promise<number> {
  const row = await db
    .selectFrom('node')
    .select('id')
    .where(sql<boolean>`uuid = ${uuid}::uuid`)
    .where('kind', '=', 'sub-user')
    .executeTakeFirst()
  if (!row) throw new AppError('node.not-found')
  return row.id
}
