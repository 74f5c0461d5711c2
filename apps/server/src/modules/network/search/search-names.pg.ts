import { type Kysely, type RawBuilder, sql } from 'kysely'
import { spendRestOf } from '../../../platform/postgres/statement-timeout.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { KnownName, RankedName } from '../names/search-match.ts'
import type { SearchText } from '../names/search-text.ts'
import { namesOfField, nodesBelow } from './search-scope.pg.ts'
import type { LargeField } from './search-scope.ts'
import { type FoundNode, ranks } from './search-store.ts'

/** So many of the best names are looked for in the tree; where they bear too few nodes, the nodes are gone through. */
export const MOST_NAMES = 2_000

export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** How well a row of tree_name fits, null when it does not. */
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

/** Best first, then higher levels, shorter names, the order of the tree. */
const NAME_ORDER = sql`rank, level, char_length(folded), folded collate "C", name collate "C", company_id`

const fittingNames = (field: LargeField, text: SearchText): RawBuilder<unknown> => sql`(
  select * from (select company_id, level, name, folded, ${toRank(text)} as rank
    from ${namesOfField(field)} names) ranked where rank is not null)`

/** Granted subtrees as ranges of sort paths. Paths are checked beside: two nodes may share a sort path for a while. */
const grants = (field: LargeField): RawBuilder<unknown> =>
  field.kind === 'subtrees'
    ? sql`select company_id, path, sort_path from node where id = any(${[...field.ids]}::bigint[])`
    : sql`select id as company_id, '/' as path, '' as sort_path from company`

/** The first nodes of each granted subtree that bear a name. */
const bearersOf = (name: string, limit: number): RawBuilder<unknown> => {
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
  /** Whether more names fit than were looked for. */
  readonly hasMoreNames: boolean
}

/** From the best names to the nodes that bear them: few subtrees, however many nodes. */
export async function findFromNames(
  db: Kysely<Tables>,
  field: LargeField,
  text: SearchText,
  limit: number,
): Promise<NamedNodes> {
  const { rows } = await sql<{ fitting: number; hit: FoundNode | null }>`
    with granted as materialized (${grants(field)}),
    fitting as materialized (
      select *, row_number() over (order by ${NAME_ORDER}) as place
      from (select * from ${fittingNames(field, text)} names order by ${NAME_ORDER} limit ${MOST_NAMES + 1}) best)
    select (select count(*) from fitting) as fitting, hits.hit from (values (1)) once left join (
      select json_build_object('nodeId', found.id, 'path', found.path, 'level', fitting.level,
        'rank', fitting.rank) as hit
      from fitting cross join lateral ${bearersOf('fitting', limit)} found
      where place <= ${MOST_NAMES}
      order by place, found.sort_path limit ${limit}) hits on true`.execute(db)
  return {
    found: rows.flatMap(({ hit }) => hit ?? []),
    hasMoreNames: (rows[0]?.fitting ?? 0) > MOST_NAMES,
  }
}

/** Of many names few are looked for at first: the best mostly bear enough nodes. */
const FIRST_NAMES = 16
const NAMES_AT_ONCE = 64

function toTurns<Name>(names: readonly Name[]): readonly (readonly Name[])[] {
  const wanted = names.slice(0, MOST_NAMES)
  return wanted.length <= NAMES_AT_ONCE ? [wanted] : [wanted.slice(0, FIRST_NAMES), wanted.slice(FIRST_NAMES)]
}

/** The same from names that are at hand, best first. */
export async function findFromKnown(
  db: Kysely<Tables>,
  field: LargeField,
  ranked: readonly RankedName<KnownName>[],
  { limit, limitMs }: { readonly limit: number; readonly limitMs: number },
): Promise<NamedNodes> {
  const found: FoundNode[] = []
  for (const [turn, some] of toTurns(ranked).entries()) {
    if (found.length >= limit) break
    if (turn > 0) await spendRestOf(db, limitMs)
    const { rows } = await sql<FoundNode>`
      with granted as materialized (${grants(field)}),
      fitting as materialized (
        select * from unnest(${some.map(({ name }) => name.companyId)}::bigint[],
          ${some.map(({ name }) => name.level)}::smallint[], ${some.map(({ name }) => name.name)}::text[],
          ${some.map(({ rank }) => rank)}::int[]) with ordinality given (company_id, level, name, rank, place))
      select found.id as "nodeId", found.path, fitting.level, fitting.rank
      from fitting cross join lateral ${bearersOf('fitting', limit)} found
      order by place, found.sort_path limit ${limit}`.execute(db)
    found.push(...rows)
  }
  return { found: found.slice(0, limit), hasMoreNames: ranked.length > MOST_NAMES }
}

/** Condition that `node` lies in the subtree of `top`, both with company_id, path and sort_path. */
export const isInSubtree = (node: string, top: string): RawBuilder<boolean> => {
  const of = (table: string, column: string) => sql.ref(`${table}.${column}`)
  // '{' follows every sign of a sort path.
  return sql<boolean>`${of(node, 'company_id')} = ${of(top, 'company_id')}
    and ${of(node, 'sort_path')} >= ${of(top, 'sort_path')}
    and ${of(node, 'sort_path')} < ${of(top, 'sort_path')} || '{'
    and starts_with(${of(node, 'path')}, ${of(top, 'path')})`
}

const COLUMNS = sql`select id as "nodeId", path, level, rank`
const NODE_ORDER = sql`${NAME_ORDER}, sort_path`

/** Nodes whose names fit, each by its own way to its name. */
const fittingNodes = (nodes: RawBuilder<unknown>, text: SearchText): RawBuilder<unknown> => sql`(
  select node.id, node.path, node.sort_path, node.level, node.name, node.company_id, noted.folded, noted.rank
  from ${nodes} node cross join lateral (
    select folded, ${toRank(text)} as rank from tree_name where tree_name.company_id = node.company_id
      and tree_name.name = node.name and tree_name.level = node.level offset 0) noted
  where noted.rank is not null)`

/**
 * Any nodes that fit, the first the tables give, when the best take too long: the more nodes fit, the sooner
 * there are enough.
 */
export async function findAny(
  db: Kysely<Tables>,
  field: LargeField,
  text: SearchText,
  limit: number,
): Promise<readonly FoundNode[]> {
  // Anything but going from node to node would read everything before it gives anything.
  await sql`set local enable_hashjoin = off`.execute(db)
  await sql`set local enable_mergejoin = off`.execute(db)
  const nodes = field.kind === 'subtrees' ? sql`(select node.* from ${nodesBelow(field.paths)})` : sql`node`
  const { rows } = await sql<FoundNode>`
    ${COLUMNS} from (select * from ${fittingNodes(nodes, text)} named limit ${limit}) hits
    order by ${NODE_ORDER}`.execute(db)
  return rows
}

/** From the nodes of the field to their names, where too many names fit or there are many subtrees. */
export async function findFromNodes(
  db: Kysely<Tables>,
  field: LargeField,
  text: SearchText,
  limit: number,
): Promise<readonly FoundNode[]> {
  // Every name meets every node once; the planner does not know how many there are of either.
  await sql`set local enable_nestloop = off`.execute(db)
  const nodes = field.kind === 'everything' ? sql`node` : nodesBelow(field.paths)
  const { rows } = await sql<FoundNode>`
    with inside as materialized (
      select node.id, node.company_id, node.path, node.sort_path, node.level, node.name from ${nodes}),
    fitting as materialized (select * from ${fittingNames(field, text)} names)
    ${COLUMNS} from inside join fitting using (company_id, level, name)
    order by ${NODE_ORDER} limit ${limit}`.execute(db)
  return rows
}
