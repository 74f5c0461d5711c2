import { type RawBuilder, sql } from 'kysely'
import { isInField, mayLeadInto, namesOfField } from './search-field.pg.ts'
import type { LargeField } from './search-field.ts'
import type { PartLevels } from './search-levels.ts'
import { escapeLike, isInSubtree } from './search-names.pg.ts'
import { type FoundNode, type KnownPart, ranks } from './search-store.ts'
import { toPartPattern } from './search-text.ts'

/** A part that more names contain is looked for from node to node instead of from name to name. */
const MANY_NAMES = 40

const isLetters = (part: string): boolean => /^[a-z]+$/.test(part)

/** Condition that a row of tree_name contains a part of an address. */
export const containsPart = (part: string): RawBuilder<boolean> => {
  // The first is quicker than a pattern, and not costlier in the planner's eyes, which otherwise begins with the pattern.
  const written = sql<boolean>`(folded like ${`%${escapeLike(part)}%`} and folded ~ ${toPartPattern(part)})`
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

/** Which parts an address has, and at which levels each of them stands. */
interface Address {
  readonly parts: readonly KnownPart[]
  readonly levels: PartLevels
}

/** Levels of part `index` where it stands below the part before, not in one name with it. */
function levelsBelow({ levels }: Address, index: number): readonly number[] {
  const above = Math.min(...(levels[index - 1] ?? [0]))
  return (levels[index] ?? []).filter((level) => level > above)
}

const anyOf = (levels: readonly number[] = []) => sql`any(${[...levels]}::int[])`

/** How many names the nodes of part `index` may bear. */
const countNames = (address: Address, index: number): number =>
  levelsBelow(address, index).reduce((sum, level) => sum + (address.parts[index]?.names.get(level) ?? 0), 0)

/** Whether part `index` stands one level below the part before: levels grow downwards, so that only children do. */
function isAmongChildren(address: Address, index: number): boolean {
  const [above, ...others] = address.levels[index - 1] ?? []
  const below = levelsBelow(address, index)
  return above !== undefined && others.length === 0 && below.every((level) => level === above + 1)
}

/** The nodes of the first part in the order of the tree: whoever needs few of them reads few. */
const nodesWithFirstPart = (field: LargeField): RawBuilder<unknown> => sql`(
  select ${columnsOf('node')} from name0 name join node on ${isNamed('node', 'name')}
  where ${mayLeadInto('node', field)}
  order by node.company_id, node.sort_path offset 0) node0`

/** The nodes of part `index` for a join: below those of the part before, or they themselves where both are one name. */
function nodesWithPart(field: LargeField, address: Address, index: number): RawBuilder<unknown> {
  const part = address.parts[index]
  if (index === 0 || part === undefined) return nodesWithFirstPart(field)
  const { texts, glued } = part
  const above = `node${index - 1}`
  // Adding nothing to the level keeps the planner from looking for every name there may be.
  const ofChildren = isAmongChildren(address, index)
  const place = ofChildren
    ? sql<boolean>`node.parent_id = ${sql.ref(`${above}.id`)}`
    : isInSubtree('node', above)
  const start =
    ofChildren || countNames(address, index) > MANY_NAMES
      ? sql`node join tree_name name on ${isNamed('node', 'name')}
          where node.level + 0 = ${anyOf(levelsBelow(address, index))} and ${containsAny(texts)}`
      : sql`${sql.id(`name${index}`)} name join node on ${isNamed('node', 'name')} where true`
  const itself =
    glued === undefined
      ? sql``
      : sql`union all select ${columnsOf(above)} from tree_name name
          where ${isNamed(above, 'name')} and ${sql.ref(`${above}.level`)} = ${anyOf(address.levels[index])} and ${containsPart(glued)}`
  // `offset 0` keeps the planner from reading all nodes of a name where a few below one node are asked for.
  return sql`lateral (
    select * from (select ${columnsOf('node')} from ${start} and ${place}
      and node.level > ${sql.ref(`${above}.level`)}
      and ${mayLeadInto('node', field)} offset 0) other ${itself}) ${sql.id(`node${index}`)}`
}

/**
 * Nodes of the field whose name contains the last part and whose ancestors contain the others in order, each at
 * its levels. In the order of the tree, so that it ends when there are enough.
 */
export function selectByParts(
  field: LargeField,
  parts: readonly KnownPart[],
  levels: PartLevels,
  limit: number,
): RawBuilder<FoundNode> {
  const address = { parts, levels }
  const names = parts.map(
    ({ texts }, index) => sql`${sql.id(`name${index}`)} as materialized (
      select company_id, level, name from known
      where level = ${anyOf(levelsBelow(address, index))} and ${containsAny(texts)})`,
  )
  const last = `node${parts.length - 1}`
  const ref = (column: string) => sql.ref(`${last}.${column}`)
  return sql<FoundNode>`
    with known as (select * from ${namesOfField(field)} names), ${sql.join(names)}
    select "nodeId", path, level, rank from (
      select distinct on (node0.company_id, node0.sort_path, ${ref('sort_path')}, ${ref('id')})
        ${ref('id')} as "nodeId", ${ref('path')} as path, ${ref('level')} as level, ${ranks.address}::int as rank
      from ${sql.join(
        parts.map((_, index) => nodesWithPart(field, address, index)),
        sql` cross join `,
      )}
      where ${isInField(last, field)}
      order by node0.company_id, node0.sort_path, ${ref('sort_path')}, ${ref('id')} limit ${limit}) hits`
}
