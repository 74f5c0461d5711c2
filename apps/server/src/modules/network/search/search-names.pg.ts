import { type Kysely, type RawBuilder, sql } from 'kysely'
import { setRemainingTimeout } from '../../../platform/postgres/statement-timeout.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { type KnownName, type RankedName, ranks } from '../names/search-match.ts'
import type { SearchText } from '../names/search-text.ts'
import type { FoundNode } from './found-node.ts'
import { namesInScope, nodesBelow } from './search-scope.pg.ts'
import type { LargeSearchScope } from './search-scope.ts'

/** Nodes are looked up for this many of the best names. If these have too few nodes, all nodes are scanned. */
export const MAX_NAMES = 2_000

export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** Rank of a row of tree_name for the text, null if it does not match. */
function toRank({ plain, folded, latin: letters }: SearchText): RawBuilder<number | null> {
  const latin = letters ?? null
  const [plainLike, foldedLike] = [`${escapeLike(plain)}%`, `${escapeLike(folded)}%`]
  return sql<number | null>`case
    when plain = ${plain} or folded = ${folded} then ${ranks.nameExact}::int
    when plain like ${plainLike} or folded like ${foldedLike} then ${ranks.nameStart}::int
    when strpos(plain, ${plain}) > 0 or strpos(folded, ${folded}) > 0 then ${ranks.nameInside}::int
    when starts_with(initials, ${latin}) or starts_with(pinyin, ${latin}) then ${ranks.pinyinStart}::int
    when char_length(${latin}::text) > 1 and strpos(initials, ${latin}) > 0
      or char_length(${latin}::text) > 2 and strpos(pinyin, ${latin}) > 0 then ${ranks.pinyinInside}::int
    end`
}

/** Best rank first, then higher levels, shorter names, then by the name itself. */
const NAME_ORDER = sql`rank, level, char_length(folded), folded collate "C", name collate "C", company_id`

const matchingNames = (searchScope: LargeSearchScope, text: SearchText): RawBuilder<unknown> => sql`(
  select * from (select company_id, level, name, folded, ${toRank(text)} as rank
    from ${namesInScope(searchScope)} names) ranked where rank is not null)`

/** Granted subtrees as ranges of sort paths. Paths are compared too: two nodes may briefly share a sort path. */
const grants = (searchScope: LargeSearchScope): RawBuilder<unknown> =>
  searchScope.kind === 'subtrees'
    ? sql`select company_id, path, sort_path from node where id = any(${[...searchScope.ids]}::bigint[])`
    : sql`select id as company_id, '/' as path, '' as sort_path from company`

/** The first nodes of each granted subtree that have a name. */
const nodesNamed = (name: string, limit: number): RawBuilder<unknown> => {
  const of = (column: string) => sql.ref(`${name}.${column}`)
  return sql`(
    select first.* from granted cross join lateral (
      select node.id, node.path, node.sort_path from node
      where node.company_id = ${of('company_id')} and node.name = ${of('name')} and node.level = ${of('level')}
        and ${isInSubtree('node', 'granted')}
      order by node.sort_path limit ${limit}) first
    order by first.sort_path limit ${limit})`
}

export interface NamedNodes {
  readonly found: readonly FoundNode[]
  /** Whether more names match than were looked up. */
  readonly hasMoreNames: boolean
}

/** Finds the best names, then their nodes. Fast for a few granted subtrees, however many nodes they have. */
export async function findFromNames(
  db: Kysely<Tables>,
  searchScope: LargeSearchScope,
  text: SearchText,
  limit: number,
): Promise<NamedNodes> {
  const { rows } = await sql<{ nameCount: number; hit: FoundNode | null }>`
    with granted as materialized (${grants(searchScope)}),
    matching as materialized (
      select *, row_number() over (order by ${NAME_ORDER}) as place
      from (select * from ${matchingNames(searchScope, text)} names order by ${NAME_ORDER} limit ${MAX_NAMES + 1}) best)
    select (select count(*) from matching) as "nameCount", hits.hit from (values (1)) once left join (
      select json_build_object('nodeId', found.id, 'path', found.path, 'level', matching.level,
        'rank', matching.rank) as hit
      from matching cross join lateral ${nodesNamed('matching', limit)} found
      where place <= ${MAX_NAMES}
      order by place, found.sort_path limit ${limit}) hits on true`.execute(db)
  return {
    found: rows.flatMap(({ hit }) => hit ?? []),
    hasMoreNames: (rows[0]?.nameCount ?? 0) > MAX_NAMES,
  }
}

/** If many names match, the first query takes this many: the best names mostly have enough nodes. */
const FIRST_NAMES = 16
/** Up to this many names are looked up in one query. */
const NAMES_AT_ONCE = 64

function toBatches<Name>(names: readonly Name[]): readonly (readonly Name[])[] {
  const wanted = names.slice(0, MAX_NAMES)
  return wanted.length <= NAMES_AT_ONCE ? [wanted] : [wanted.slice(0, FIRST_NAMES), wanted.slice(FIRST_NAMES)]
}

/** Like findFromNames, for names that are in memory already, best first. */
export async function findFromKnown(
  db: Kysely<Tables>,
  searchScope: LargeSearchScope,
  ranked: readonly RankedName<KnownName>[],
  { limit, limitMs }: { readonly limit: number; readonly limitMs: number },
): Promise<NamedNodes> {
  const found: FoundNode[] = []
  for (const [index, batch] of toBatches(ranked).entries()) {
    if (found.length >= limit) break
    if (index > 0) await setRemainingTimeout(db, limitMs)
    const { rows } = await sql<FoundNode>`
      with granted as materialized (${grants(searchScope)}),
      matching as materialized (
        select * from unnest(${batch.map(({ name }) => name.companyId)}::bigint[],
          ${batch.map(({ name }) => name.level)}::smallint[], ${batch.map(({ name }) => name.name)}::text[],
          ${batch.map(({ rank }) => rank)}::int[]) with ordinality given (company_id, level, name, rank, place))
      select found.id as "nodeId", found.path, matching.level, matching.rank
      from matching cross join lateral ${nodesNamed('matching', limit)} found
      order by place, found.sort_path limit ${limit}`.execute(db)
    found.push(...rows)
  }
  return { found: found.slice(0, limit), hasMoreNames: ranked.length > MAX_NAMES }
}

/** Condition that `node` is in the subtree of `top`. Both tables have company_id, path and sort_path. */
export const isInSubtree = (node: string, top: string): RawBuilder<boolean> => {
  const of = (table: string, column: string) => sql.ref(`${table}.${column}`)
  // '{' sorts after every character of a sort path.
  return sql<boolean>`${of(node, 'company_id')} = ${of(top, 'company_id')}
    and ${of(node, 'sort_path')} >= ${of(top, 'sort_path')}
    and ${of(node, 'sort_path')} < ${of(top, 'sort_path')} || '{'
    and starts_with(${of(node, 'path')}, ${of(top, 'path')})`
}

const COLUMNS = sql`select id as "nodeId", path, level, rank`
const NODE_ORDER = sql`${NAME_ORDER}, sort_path`

/** Nodes whose names match; the name's row is looked up for each node. */
const matchingNodes = (nodes: RawBuilder<unknown>, text: SearchText): RawBuilder<unknown> => sql`(
  select node.id, node.path, node.sort_path, node.level, node.name, node.company_id, noted.folded, noted.rank
  from ${nodes} node cross join lateral (
    select folded, ${toRank(text)} as rank from tree_name where tree_name.company_id = node.company_id
      and tree_name.name = node.name and tree_name.level = node.level offset 0) noted
  where noted.rank is not null)`

/**
 * Finds any matching nodes in table order, after the search for the best ones timed out. The more nodes match, the
 * sooner there are enough.
 */
export async function findAny(
  db: Kysely<Tables>,
  searchScope: LargeSearchScope,
  text: SearchText,
  limit: number,
): Promise<readonly FoundNode[]> {
  // Hash and merge joins would read everything before they return the first row.
  await sql`set local enable_hashjoin = off`.execute(db)
  await sql`set local enable_mergejoin = off`.execute(db)
  const nodes =
    searchScope.kind === 'subtrees' ? sql`(select node.* from ${nodesBelow(searchScope.paths)})` : sql`node`
  const { rows } = await sql<FoundNode>`
    ${COLUMNS} from (select * from ${matchingNodes(nodes, text)} named limit ${limit}) hits
    order by ${NODE_ORDER}`.execute(db)
  return rows
}

/** Scans the nodes of the scope and joins their names. Fast for many matching names or many granted subtrees. */
export async function findFromNodes(
  db: Kysely<Tables>,
  searchScope: LargeSearchScope,
  text: SearchText,
  limit: number,
): Promise<readonly FoundNode[]> {
  // The planner has no estimate of either side; a nested loop would compare every name with every node.
  await sql`set local enable_nestloop = off`.execute(db)
  const nodes = searchScope.kind === 'everything' ? sql`node` : nodesBelow(searchScope.paths)
  const { rows } = await sql<FoundNode>`
    with inside as materialized (
      select node.id, node.company_id, node.path, node.sort_path, node.level, node.name from ${nodes}),
    matching as materialized (select * from ${matchingNames(searchScope, text)} names)
    ${COLUMNS} from inside join matching using (company_id, level, name)
    order by ${NODE_ORDER} limit ${limit}`.execute(db)
  return rows
}
