import { type Kysely, sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Tables } from '../../../platform/tables.ts'

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

/** Reads a project. Throws node.not-found. */
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

/** Reads a group. Throws node.not-found. */
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

/** Finds the child of a node with the highest level (the smallest number). */
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

/** Returns the id of a sub-user. Throws node.not-found. */
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
