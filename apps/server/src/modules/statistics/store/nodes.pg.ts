import type { ReportLevel } from '@isotherm/contract/endpoints/monitoring/statistics'
import { treeLevels } from '@isotherm/contract/tree'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { escapeLike } from '../../../platform/postgres/filter.pg.ts'
import { isBelow } from '../../../platform/scope/scope.pg.ts'
import { toNodeKey } from '../../network/index.ts'

/** A node with a row in a report. */
export interface ReportNode {
  readonly key: string
  readonly path: string
  readonly name: string
  readonly nestaddr: string
}

/** Nodes of a level at and below paths, in the order of the tree. `text`: part of their address. */
export async function listReportNodes(
  db: Database,
  {
    paths,
    level,
    text,
  }: { readonly paths: readonly string[]; readonly level: ReportLevel; readonly text: string },
): Promise<readonly ReportNode[]> {
  const found = db
    .selectFrom('node')
    .select(['id', 'uuid', 'address', 'path', 'name', 'nestaddr'])
    .where('level', '=', treeLevels[level])
    .where('is_test', '=', false)
    .where(isBelow('node.path', paths))
  const part = `%${escapeLike(text)}%`
  const rows = await (text === '' ? found : found.where('nestaddr', 'ilike', part))
    .orderBy('company_id')
    .orderBy('sort_path')
    .execute()
  return rows.map(({ path, name, nestaddr, ...identity }) => ({
    key: toNodeKey(identity),
    path,
    name,
    nestaddr,
  }))
}
