import { type RawBuilder, sql } from 'kysely'
import { type KnownName, ranks, toContaining } from '../names/search-match.ts'
import { type AddressPart, toPartPattern } from '../names/search-text.ts'
import type { FoundNode } from './found-node.ts'
import type { KnownPart, PartLevels } from './search-levels.ts'
import { escapeLike, isInSubtree } from './search-names.pg.ts'
import { isInSearchScope, mayLeadInto, namesInScope } from './search-scope.pg.ts'
import type { LargeSearchScope } from './search-scope.ts'

/** If more names than this contain a part, its nodes are scanned below the part above instead of looked up by name. */
const MANY_NAMES = 40

const isLetters = (part: string): boolean => /^[a-z]+$/.test(part)

/** Condition that a row of tree_name contains a part of an address. */
export const containsPart = (part: string): RawBuilder<boolean> => {
  // `like` is faster than the regular expression. The planner must not estimate it as costlier, or it runs second.
  const written = sql<boolean>`(folded like ${`%${escapeLike(part)}%`} and folded ~ ${toPartPattern(part)})`
  return isLetters(part)
    ? sql<boolean>`(${written} or starts_with(initials, ${part}) or starts_with(pinyin, ${part}))`
    : written
}

const containsAny = (parts: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(parts.map(containsPart), sql` or `)})`

/** Condition that a node has the name of a row of tree_name. */
const isNamed = (node: string, name: string): RawBuilder<boolean> => {
  const same = (column: string) => sql`${sql.ref(`${node}.${column}`)} = ${sql.ref(`${name}.${column}`)}`
  return sql<boolean>`${same('company_id')} and ${same('name')} and ${same('level')}`
}

const COLUMNS = ['id', 'company_id', 'path', 'sort_path', 'level', 'name'] as const
const columnsOf = (table: string): RawBuilder<unknown> =>
  sql.join(COLUMNS.map((column) => sql.ref(`${table}.${column}`)))

/** `apart`: names that contain a part. `together`: names that contain it joined with the previous part. */
export interface NamesOfPart {
  readonly apart: readonly KnownName[]
  readonly together: readonly string[]
}

/** Finds the names of a part among names in memory. */
export function toKnownNames(names: readonly KnownName[], { texts, withPrevious }: AddressPart): NamesOfPart {
  const any = texts.map(toContaining)
  const inOne = withPrevious === undefined ? undefined : toContaining(withPrevious)
  const together = inOne ? names.filter(inOne).map(({ name }) => name) : []
  return {
    apart: names.filter((name) => any.some((contains) => contains(name))),
    together: [...new Set(together)],
  }
}

/** The parts of an address, the levels of each part, and the names of each part if they are in memory. */
interface Address {
  readonly parts: readonly KnownPart[]
  readonly levels: PartLevels
  readonly known: readonly NamesOfPart[] | undefined
}

/** Levels of part `index` below the previous part, so not in the same name. */
function levelsBelow({ levels }: Address, index: number): readonly number[] {
  const above = Math.min(...(levels[index - 1] ?? [0]))
  return (levels[index] ?? []).filter((level) => level > above)
}

const anyOf = (levels: readonly number[] = []) => sql`any(${[...levels]}::int[])`

/** Number of names that nodes of part `index` may have. */
const countNames = (address: Address, index: number): number =>
  levelsBelow(address, index).reduce((sum, level) => sum + (address.parts[index]?.names.get(level) ?? 0), 0)

/** Whether part `index` is exactly one level below the previous part, so it can only match children. */
function isAmongChildren(address: Address, index: number): boolean {
  const [above, ...others] = address.levels[index - 1] ?? []
  const below = levelsBelow(address, index)
  return above !== undefined && others.length === 0 && below.every((level) => level === above + 1)
}

/** Names of part `index` at its levels below the previous part. */
function namesAt(address: Address, index: number): readonly KnownName[] | undefined {
  const levels = levelsBelow(address, index)
  return address.known?.[index]?.apart.filter(({ level }) => levels.includes(level))
}

/**
 * Up to this many names are read as one index range each, merged in tree order. A few building numbers can have
 * thousands of nodes. With more names, planning the ranges takes longer than reading them.
 */
const FEW_NAMES = 4

/** Names of the first part if they are few and of one company, so that sort paths alone give the tree order. */
function namesToMerge(address: Address): readonly KnownName[] | undefined {
  const names = namesAt(address, 0)
  if (!names || names.length === 0 || names.length > FEW_NAMES) return undefined
  return names.every(({ companyId }) => companyId === names[0]?.companyId) ? names : undefined
}

/** The nodes of the first part in tree order, so a query that needs few of them reads few. */
function nodesWithFirstPart(searchScope: LargeSearchScope, address: Address): RawBuilder<unknown> {
  const few = namesToMerge(address)
  if (!few)
    return sql`(
      select ${columnsOf('node')} from name0 name join node on ${isNamed('node', 'name')}
      where ${mayLeadInto('node', searchScope)}
      order by node.company_id, node.sort_path offset 0) node0`
  const ranges = few.map(
    ({ companyId, level, name }) => sql`(
      select ${columnsOf('node')} from node where node.company_id = ${companyId} and node.name = ${name}
        and node.level = ${level} and ${mayLeadInto('node', searchScope)} order by node.sort_path)`,
  )
  return sql`(select * from (${sql.join(ranges, sql` union all `)}) merged order by sort_path offset 0) node0`
}

/** For more names than this, sorting them for an index lookup takes longer than reading all nodes below one node. */
const MAX_NAMES_FOR_INDEX = 300

/** Source and condition of the nodes of part `index`, seen from the nodes above. */
function startOf(address: Address, index: number, place: RawBuilder<boolean>): RawBuilder<unknown> {
  const isMany = isAmongChildren(address, index) || countNames(address, index) > MANY_NAMES
  if (!isMany)
    return sql`${sql.id(`name${index}`)} name join node on ${isNamed('node', 'name')} where ${place}`
  // `+ 0` prevents an index condition, with which the planner would look up every possible name.
  const level = sql`node.level + 0 = ${anyOf(levelsBelow(address, index))}`
  const names = namesAt(address, index)
  if (!names)
    return sql`node join tree_name name on ${isNamed('node', 'name')}
      where ${level} and ${containsAny(address.parts[index]?.texts ?? [])} and ${place}`
  const distinct = [...new Set(names.map(({ name }) => name))]
  // `|| ''` prevents an index lookup: the names of the few nodes below are compared with the list.
  const name = distinct.length > MAX_NAMES_FOR_INDEX ? sql`node.name || ''` : sql`node.name`
  return sql`node where ${place} and ${name} = any(${distinct}::text[]) and ${level}`
}

/** The nodes of part `index` for a join: below the nodes of the previous part, or the same node if one name has both. */
function nodesWithPart(searchScope: LargeSearchScope, address: Address, index: number): RawBuilder<unknown> {
  const part = address.parts[index]
  if (index === 0 || part === undefined) return nodesWithFirstPart(searchScope, address)
  const { withPrevious } = part
  const above = `node${index - 1}`
  const place = isAmongChildren(address, index)
    ? sql<boolean>`node.parent_id = ${sql.ref(`${above}.id`)}`
    : isInSubtree('node', above)
  const start = startOf(address, index, place)
  const together = address.known?.[index]?.together
  const inOne = sql`${sql.ref(`${above}.level`)} = ${anyOf(address.levels[index])}`
  const ofBoth = together
    ? sql`where ${sql.ref(`${above}.name`)} = any(${[...together]}::text[])`
    : sql`from tree_name name where ${isNamed(above, 'name')} and ${containsPart(withPrevious ?? '')}`
  const itself =
    withPrevious === undefined ? sql`` : sql`union all select ${columnsOf(above)} ${ofBoth} and ${inOne}`
  // `offset 0` keeps the planner from reading all nodes of a name when only a few below one node are needed.
  return sql`lateral (
    select * from (select ${columnsOf('node')} from ${start}
      and node.level > ${sql.ref(`${above}.level`)}
      and ${mayLeadInto('node', searchScope)} offset 0) other ${itself}) ${sql.id(`node${index}`)}`
}

/**
 * Query for nodes of the scope whose name contains the last part and whose ancestors contain the other parts in
 * order, each at its levels. The result is in tree order, so the query stops at `limit`.
 */
export function selectByParts(
  searchScope: LargeSearchScope,
  address: Address,
  limit: number,
): RawBuilder<FoundNode> {
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
  const allNames = address.known ? sql`` : sql`known as (select * from ${namesInScope(searchScope)} names), `
  const last = `node${parts.length - 1}`
  const ref = (column: string) => sql.ref(`${last}.${column}`)
  const company = namesToMerge(address) ? sql`` : sql`node0.company_id, `
  const order = sql`${company}node0.sort_path, ${ref('sort_path')}, ${ref('id')}`
  return sql<FoundNode>`
    with ${allNames}${sql.join(names)}
    select "nodeId", path, level, rank from (
      select distinct on (${order})
        ${ref('id')} as "nodeId", ${ref('path')} as path, ${ref('level')} as level, ${ranks.address}::int as rank
      from ${sql.join(
        parts.map((_, index) => nodesWithPart(searchScope, address, index)),
        sql` cross join `,
      )}
      where ${isInSearchScope(last, searchScope)}
      order by ${order} limit ${limit}) hits`
}
