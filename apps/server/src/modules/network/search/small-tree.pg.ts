import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { foldName } from '../names/name-forms.ts'
import type { KnownName } from '../names/search-match.ts'
import type { NodeKind } from '../nodes/tables.ts'
import { type SmallNode, type SmallTree, toSmallTree } from './small-tree.ts'

interface NodeRow extends Omit<SmallNode, 'isInside'> {
  readonly companyId: number
  readonly kind: NodeKind
}

const keyOf = ({ companyId, level, name }: Pick<KnownName, 'companyId' | 'level' | 'name'>): string =>
  JSON.stringify([companyId, level, name])

/** Reads the nodes of a scope and those above them, each with the forms of its name. */
export async function readSmallTree(
  db: Database,
  inside: readonly number[],
  above: readonly number[],
): Promise<SmallTree> {
  const covered = new Set(inside)
  const ids = [...new Set([...inside, ...above])]
  const [nodes, names] = await Promise.all([
    sql<NodeRow>`
      select id, company_id as "companyId", uuid::text as uuid, address, kind, name, level, path,
        sort_path as "sortPath"
      from node where id = any(${ids}::bigint[])`.execute(db),
    sql<KnownName>`
      select noted.company_id as "companyId", noted.level, noted.name, noted.plain, noted.folded, noted.pinyin,
        noted.initials
      from (select distinct company_id, level, name from node where id = any(${ids}::bigint[])) borne
      join tree_name noted using (company_id, level, name)`.execute(db),
  ])
  const known = new Map(names.rows.map((name) => [keyOf(name), name]))
  return toSmallTree(
    nodes.rows.map((node) => ({ ...node, isInside: covered.has(node.id) })),
    // A name that a change between the two readings brought is in neither.
    ({ companyId, level, name }) =>
      known.get(keyOf({ companyId, level, name })) ?? { companyId, level, name, ...foldName(name) },
  )
}
