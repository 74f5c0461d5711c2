import { type RawBuilder, sql } from 'kysely'
import { isInField, mayLeadInto, namesOfField } from './search-field.pg.ts'
import type { SearchField } from './search-field.ts'
import { isInSubtree } from './search-names.pg.ts'
import { type FoundNode, type KnownPart, ranks } from './search-store.ts'
import { toPartPattern } from './search-text.ts'

/** A part that more names contain is looked for from node to node instead of from name to name. */
const MANY_NAMES = 40
/** Nothing stands below a node of this level. */
const LAST_LEVEL = 8

const isLetters = (part: string): boolean => /^[a-z]+$/.test(part)

/** Condition that a row of tree_name contains a part of an address. */
export const containsPart = (part: string): RawBuilder<boolean> => {
  const written = sql<boolean>`(strpos(folded, ${part}) > 0 and folded ~ ${toPartPattern(part)})`
  return isLetters(part)
    ? sql<boolean>`(${written} or starts_with(initials, ${part}) or starts_with(pinyin, ${part}))`
    : written
}

const containsAny = (parts: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(parts.map(containsPart), sql` or `)})`

/** Condition that a node bears the name in a row of tree_name. */
const isNamed = (node: string, name: string): RawBuilder<boolean> => {
  const same = (column: string) => sql`${sql.ref(`${node}.${column}`)} = ${sql.ref(`${name}.${column}`)}`
  return sql<boolean>`${same('company_id')} and ${same('name')} and ${same('level')}`
}

const COLUMNS = ['id', 'company_id', 'path', 'sort_path', 'level', 'name'] as const
const columnsOf = (table: string): RawBuilder<unknown> =>
  sql.join(COLUMNS.map((column) => sql.ref(`${table}.${column}`)))

/** The nodes of part `index` for a join: below those of the part before, or they themselves where both are one name. */
function nodesWithPart(
  field: SearchField,
  { texts, glued, names }: KnownPart,
  index: number,
): RawBuilder<unknown> {
  const above = `node${index - 1}`
  const below =
    index === 0
      ? sql<boolean>`true`
      : sql<boolean>`${isInSubtree('node', above)} and node.level > ${sql.ref(`${above}.level`)}`
  const start =
    names > MANY_NAMES && index > 0
      ? sql`node join tree_name name on ${isNamed('node', 'name')}
          where node.kind = any('{project,group,sub-user,address}') and ${containsAny(texts)}`
      : sql`${sql.id(`name${index}`)} name join node on ${isNamed('node', 'name')} where true`
  const itself =
    index === 0 || glued === undefined
      ? sql``
      : sql`union all select ${columnsOf(above)} from tree_name name
          where ${isNamed(above, 'name')} and ${containsPart(glued)}`
  // `offset 0` keeps the planner from reading all nodes of a name where a few below one node are asked for.
  return sql`lateral (
    select * from (select ${columnsOf('node')} from ${start} and ${below} and ${mayLeadInto('node', field)}
      offset 0) other ${itself}) ${sql.id(`node${index}`)}`
}

/** Nodes of the field whose name contains the last part and whose ancestors contain the others in order. */
export function selectByParts(
  field: SearchField,
  parts: readonly KnownPart[],
  limit: number,
): RawBuilder<FoundNode> {
  const names = parts.map(
    ({ texts }, index) => sql`${sql.id(`name${index}`)} as materialized (
      select company_id, level, name from known
      where ${containsAny(texts)} and level < ${index === 0 ? LAST_LEVEL : LAST_LEVEL + 1})`,
  )
  const last = `node${parts.length - 1}`
  const ref = (column: string) => sql.ref(`${last}.${column}`)
  return sql<FoundNode>`
    with known as (select * from ${namesOfField(field)} names), ${sql.join(names)}
    select ${ref('id')} as "nodeId", ${ref('path')} as path, ${ref('level')} as level, ${ranks.address}::int as rank
    from ${sql.join(
      parts.map((part, index) => nodesWithPart(field, part, index)),
      sql` cross join `,
    )}
    where ${ref('level')} > node0.level and ${isInField(last, field)}
    group by ${ref('id')}, ${ref('path')}, ${ref('level')}, ${ref('company_id')}, ${ref('sort_path')}
    order by ${ref('level')}, min(${ref('level')} - node0.level), ${ref('company_id')}, ${ref('sort_path')}
    limit ${limit}`
}
