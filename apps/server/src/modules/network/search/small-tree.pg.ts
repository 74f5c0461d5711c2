import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toNameForms } from '../names/name-forms.ts'
import type { KnownName } from '../names/search-match.ts'
import type { NodeKind } from '../nodes/tables.ts'
import { type SmallNode, type SmallTree, toSmallTree } from './small-tree.ts'

interface NodeRow extends Omit<SmallNode, 'isInside'> {
  readonly companyId: number
  readonly kind: NodeKind
}

const keyOf = ({ companyId, level, name }: Pick<KnownName, 'companyId' | 'level' | 'name'>): string =>
  JSON.stringify([companyId, level, name])

/** Reads the nodes `inside` of a scope and their ancestors `above`, each with the search forms of its name. */
export async function readSmallTree(
  db: Database,
  inside: readonly number[],
  above: readonly number[],
): Promise<SmallTree> {
  const insideIds = new Set(inside)
  const ids = [...new Set([...inside, ...above])]
  const [nodes, names] = await Promise.all([
    sql<NodeRow>`
      select id, company_id as "companyId", uuid::text as uuid, address, kind, name, level, path,
        sort_path as "sortPath"
      from node where id = any(${ids}::bigint[])`.execute(db),
    sql<KnownName>`
      select tree_name.company_id as "companyId", tree_name.level, tree_name.name, tree_name.plain,
        tree_name.folded, tree_name.pinyin, tree_name.initials
      from (select distinct company_id, level, name from node where id = any(${ids}::bigint[])) used
      join tree_name using (company_id, level, name)`.execute(db),
  ])
  const known = new Map(names.rows.map((name) => [keyOf(name), name]))
  return toSmallTree(
    nodes.rows.map((node) => ({ ...node, isInside: insideIds.has(node.id) })),
    // A change between the two queries may have added a name that the second query did not see.
    ({ companyId, level, name }) =>
      known.get(keyOf({ companyId, level, name })) ?? { companyId, level, name, ...toNameForms(name) },
  )
}
