import type { Limiter } from '@isotherm/contract/filter'
import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset, toTotal } from '../../../platform/postgres/filter.pg.ts'
import { isBelow, isVisible } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Page } from '../nodes/page.ts'

/** A stored project or group. */
export interface GroupRow {
  readonly id: number
  readonly name: string
  readonly level: number
  readonly parentId: number | null
  readonly path: string
  readonly kind: 'project' | 'group'
  readonly description: string
  readonly version: number
}

const columns = [
  'id',
  'name',
  'level',
  'parent_id as parentId',
  'path',
  'kind',
  'description',
  'version',
] as const

const isGroup = <Row extends { readonly kind: string }>(
  row: Row,
): row is Row & { readonly kind: 'project' | 'group' } => row.kind === 'project' || row.kind === 'group'

/** Lists the projects that the scope shows and whose name contains `name`, in tree order. */
export async function listProjects(
  db: Database,
  scope: Scope,
  name: string | undefined,
  limiter: Limiter,
): Promise<Page<GroupRow>> {
  const found = db
    .selectFrom('node')
    .where('kind', '=', 'project')
    .where(isVisible('path', scope))
    .$if(name !== undefined && name !== '', (query) => query.where(sql<boolean>`strpos(name, ${name}) > 0`))
  const rows = await found
    .select(columns)
    .orderBy('company_id')
    .orderBy('sort_path')
    .limit(limiter.size)
    .offset(toOffset(limiter))
    .execute()
  const total = await toTotal(limiter, rows.length, async () => {
    const counted = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    return counted.total
  })
  return { rows: rows.filter(isGroup), total }
}

/** Lists a project and all groups below it, in tree order, whatever the scope; none for an unknown project. */
export async function listGroups(db: Database, projectId: number): Promise<readonly GroupRow[]> {
  const rows = await db
    .selectFrom('node')
    .select(columns)
    .where('kind', 'in', ['project', 'group'])
    .where(isBelow('path', [`/${projectId}/`]))
    .orderBy('company_id')
    .orderBy('sort_path')
    .execute()
  return rows.filter(isGroup)
}

/** Paths of a company's projects. */
export async function listProjectPaths(db: Database, companyId: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('node')
    .select('path')
    .where('company_id', '=', companyId)
    .where('kind', '=', 'project')
    .execute()
  return rows.map(({ path }) => path)
}
