import { type RawBuilder, sql } from 'kysely'
import { type KnownName, toContaining } from '../names/search-match.ts'
import { type AddressPart, toPartPattern } from '../names/search-text.ts'
import type { PartLevels } from './search-levels.ts'
import { escapeLike, isInSubtree } from './search-names.pg.ts'
import { isInField, mayLeadInto, namesOfField } from './search-scope.pg.ts'
import type { LargeField } from './search-scope.ts'
import { type FoundNode, type KnownPart, ranks } from './search-store.ts'

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

/** Names that contain a part; those that contain it together with the part before. */
export interface NamesOfPart {
  readonly apart: readonly KnownName[]
  readonly together: readonly string[]
}

/** Finds the names of a part among those at hand. */
export function toKnownNames(names: readonly KnownName[], { texts, glued }: AddressPart): NamesOfPart {
  const any = texts.map(toContaining)
  const inOne = glued === undefined ? undefined : toContaining(glued)
  const together = inOne ? names.filter(inOne).map(({ name }) => name) : []
  return {
    apart: names.filter((name) => any.some((contains) => contains(name))),
    together: [...new Set(together)],
  }
}

/** Which parts an address has, at which levels each of them stands, and the names of each where they are at hand. */
interface Address {
  readonly parts: readonly KnownPart[]
  readonly levels: PartLevels
  readonly known: readonly NamesOfPart[] | undefined
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

/** Names of part `index` at the levels where it stands below the part before. */
function namesAt(address: Address, index: number): readonly KnownName[] | undefined {
  const levels = levelsBelow(address, index)
  return address.known?.[index]?.apart.filter(({ level }) => levels.includes(level))
}

/**
 * So many names are each a range of the index, which together are read in the order of the tree: few numbers of
 * buildings are borne by thousands of nodes. Of more names each range would be planned longer than it is read.
 */
const FEW_NAMES = 4

/** The first names where they are few and of one company: the order of the tree is that of sort paths alone. */
function namesToMerge(address: Address): readonly KnownName[] | undefined {
  const names = namesAt(address, 0)
  if (!names || names.length === 0 || names.length > FEW_NAMES) return undefined
  return names.every(({ companyId }) => companyId === names[0]?.companyId) ? names : undefined
}

/** The nodes of the first part in the order of the tree: whoever needs few of them reads few. */
function nodesWithFirstPart(field: LargeField, address: Address): RawBuilder<unknown> {
  const few = namesToMerge(address)
  if (!few)
    return sql`(
      select ${columnsOf('node')} from name0 name join node on ${isNamed('node', 'name')}
      where ${mayLeadInto('node', field)}
      order by node.company_id, node.sort_path offset 0) node0`
  const ranges = few.map(
    ({ companyId, level, name }) => sql`(
      select ${columnsOf('node')} from node where node.company_id = ${companyId} and node.name = ${name}
        and node.level = ${level} and ${mayLeadInto('node', field)} order by node.sort_path)`,
  )
  return sql`(select * from (${sql.join(ranges, sql` union all `)}) merged order by sort_path offset 0) node0`
}

/** To sort them for an index takes longer than to read all nodes below one. */
const TOO_MANY_TO_LOOK_FOR = 300

/** Where the nodes of part `index` are looked for from the nodes above, and the condition for them. */
function startOf(address: Address, index: number, place: RawBuilder<boolean>): RawBuilder<unknown> {
  const isMany = isAmongChildren(address, index) || countNames(address, index) > MANY_NAMES
  if (!isMany)
    return sql`${sql.id(`name${index}`)} name join node on ${isNamed('node', 'name')} where ${place}`
  // Adding nothing to the level keeps the planner from looking for every name there may be.
  const level = sql`node.level + 0 = ${anyOf(levelsBelow(address, index))}`
  const names = namesAt(address, index)
  if (!names)
    return sql`node join tree_name name on ${isNamed('node', 'name')}
      where ${level} and ${containsAny(address.parts[index]?.texts ?? [])} and ${place}`
  const distinct = [...new Set(names.map(({ name }) => name))]
  // So many are compared with the names of the few nodes below, not looked for there: adding nothing says so.
  const name = distinct.length > TOO_MANY_TO_LOOK_FOR ? sql`node.name || ''` : sql`node.name`
  return sql`node where ${place} and ${name} = any(${distinct}::text[]) and ${level}`
}

/** The nodes of part `index` for a join: below those of the part before, or they themselves where both are one name. */
function nodesWithPart(field: LargeField, address: Address, index: number): RawBuilder<unknown> {
  const part = address.parts[index]
  if (index === 0 || part === undefined) return nodesWithFirstPart(field, address)
  const { glued } = part
  const above = `node${index - 1}`
  const place = isAmongChildren(address, index)
    ? sql<boolean>`node.parent_id = ${sql.ref(`${above}.id`)}`
    : isInSubtree('node', above)
  const start = startOf(address, index, place)
  const together = address.known?.[index]?.together
  const inOne = sql`${sql.ref(`${above}.level`)} = ${anyOf(address.levels[index])}`
  const ofBoth = together
    ? sql`where ${sql.ref(`${above}.name`)} = any(${[...together]}::text[])`
    : sql`from tree_name name where ${isNamed(above, 'name')} and ${containsPart(glued ?? '')}`
  const itself =
    glued === undefined ? sql`` : sql`union all select ${columnsOf(above)} ${ofBoth} and ${inOne}`
  // `offset 0` keeps the planner from reading all nodes of a name where a few below one node are asked for.
  return sql`lateral (
    select * from (select ${columnsOf('node')} from ${start}
      and node.level > ${sql.ref(`${above}.level`)}
      and ${mayLeadInto('node', field)} offset 0) other ${itself}) ${sql.id(`node${index}`)}`
}

/**
 * Nodes of the field whose name contains the last part and whose ancestors contain the others in order, each at
 * its levels. In the order of the tree, so that it ends when there are enough.
 */
export function selectByParts(field: LargeField, address: Address, limit: number): RawBuilder<FoundNode> {
  const { parts } = address
  const names = parts.map(({ texts }, index) => {
    const known = namesAt(address, index)
    const rows = known
      ? sql`select * from unnest(${known.map(({ companyId }) => companyId)}::bigint[],
          ${known.map(({ level }) => level)}::smallint[],
          ${known.map(({ name }) => name)}::text[]) given (company_id, level, name)`
      : sql`select company_id, level, name from known
          where level = ${anyOf(levelsBelow(address, index))} and ${containsAny(texts)}`
    return sql`${sql.id(`name${index}`)} as materialized (${rows})`
  })
  const noted = address.known ? sql`` : sql`known as (select * from ${namesOfField(field)} names), `
  const last = `node${parts.length - 1}`
  const ref = (column: string) => sql.ref(`${last}.${column}`)
  const company = namesToMerge(address) ? sql`` : sql`node0.company_id, `
  const order = sql`${company}node0.sort_path, ${ref('sort_path')}, ${ref('id')}`
  return sql<FoundNode>`
    with ${noted}${sql.join(names)}
    select "nodeId", path, level, rank from (
      select distinct on (${order})
        ${ref('id')} as "nodeId", ${ref('path')} as path, ${ref('level')} as level, ${ranks.address}::int as rank
      from ${sql.join(
        parts.map((_, index) => nodesWithPart(field, address, index)),
        sql` cross join `,
      )}
      where ${isInField(last, field)}
      order by ${order} limit ${limit}) hits`
}
