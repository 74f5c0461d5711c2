import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import { isVisible } from '../../platform/scope.pg.ts'
import type { Scope } from '../../platform/scope.ts'
import { withinTime } from '../../platform/within-time.pg.ts'
import { type FoundNode, type KnownPart, ranks, type TreeSearchStore } from './search-store.ts'
import { toPartPattern } from './search-text.ts'

/** How long one statement of a search may take, ms. */
const SEARCH_LIMIT_MS = 500
/** A part that more names contain is looked for from node to node instead of from name to name. */
const MANY_NAMES = 40

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** Granted subtrees as ranges of sort paths. Paths are checked beside: two nodes may share a sort path for a while. */
const grants = (scope: Scope): RawBuilder<unknown> =>
  scope.kind === 'all'
    ? sql`select id as company_id, '/' as path, '' as sort_path from company`
    : sql`select company_id, path, sort_path from node where path = any(${[...scope.paths]}::text[])`

/** Condition that `node` lies in the subtree of `top`, both with company_id, path and sort_path. */
const isInSubtree = (node: string, top: string): RawBuilder<boolean> => {
  const of = (table: string, column: string) => sql.ref(`${table}.${column}`)
  // '{' follows every sign of a sort path.
  return sql<boolean>`${of(node, 'company_id')} = ${of(top, 'company_id')}
    and ${of(node, 'sort_path')} >= ${of(top, 'sort_path')}
    and ${of(node, 'sort_path')} < ${of(top, 'sort_path')} || '{'
    and starts_with(${of(node, 'path')}, ${of(top, 'path')})`
}

/** Condition that `node` bears the name in a row of tree_name. */
const isNamed = (name: string): RawBuilder<boolean> => sql<boolean>`
  node.company_id = ${sql.ref(`${name}.company_id`)} and node.name = ${sql.ref(`${name}.name`)}
  and node.level = ${sql.ref(`${name}.level`)}`

const isLetters = (part: string): boolean => /^[a-z]+$/.test(part)

/** Condition that a row of tree_name contains a part of an address. */
const containsPart = (part: string): RawBuilder<boolean> => {
  const written = sql<boolean>`(strpos(folded, ${part}) > 0 and folded ~ ${toPartPattern(part)})`
  return isLetters(part)
    ? sql<boolean>`(${written} or starts_with(initials, ${part}) or starts_with(pinyin, ${part}))`
    : written
}

/** The nodes of part `index`: below those of the part before, on a way into the scope, for a join. */
function nodesWithPart(scope: Scope, { part, names }: KnownPart, index: number): RawBuilder<unknown> {
  const above = `node${index - 1}`
  const below =
    index === 0
      ? sql<boolean>`true`
      : sql<boolean>`${isInSubtree('node', above)}
    and node.level > ${sql.ref(`${above}.level`)}`
  const start =
    names > MANY_NAMES && index > 0
      ? sql`node join tree_name name on ${isNamed('name')}
          where node.kind = any('{project,group,sub-user,address}') and ${containsPart(part)}`
      : sql`${sql.id(`name${index}`)} name join node on ${isNamed('name')} where true`
  // `offset 0` keeps the planner from reading all nodes of a name where a few below one node are asked for.
  return sql`lateral (
    select node.id, node.company_id, node.path, node.sort_path, node.level
    from ${start} and ${below} and ${isVisible('node.path', scope)} offset 0) ${sql.id(`node${index}`)}`
}

/** The query behind findByParts: node 0 has the first part, node 1 below it the second, and so on. */
function selectByParts(scope: Scope, parts: readonly KnownPart[], limit: number): RawBuilder<FoundNode> {
  const names = parts.map(
    ({ part }, index) => sql`${sql.id(`name${index}`)} as materialized (
      select company_id, level, name from tree_name
      where company_id in (select company_id from granted) and ${containsPart(part)})`,
  )
  const last = `node${parts.length - 1}`
  const ref = (column: string) => sql.ref(`${last}.${column}`)
  return sql<FoundNode>`
    with granted as materialized (${grants(scope)}), ${sql.join(names)}
    select ${ref('id')} as "nodeId", ${ref('path')} as path, ${ref('level')} as level, ${ranks.address}::int as rank
    from ${sql.join(
      parts.map((part, index) => nodesWithPart(scope, part, index)),
      sql` cross join `,
    )}
    join granted on ${isInSubtree(last, 'granted')}
    group by ${ref('id')}, ${ref('path')}, ${ref('level')}, ${ref('company_id')}, ${ref('sort_path')}
    order by ${ref('level')}, min(${ref('level')} - node0.level), ${ref('company_id')}, ${ref('sort_path')}
    limit ${limit}`
}

export function createTreeSearchStore(db: Database): TreeSearchStore {
  return {
    findByName: (scope, { plain, folded, latin = null }, limit) =>
      withinTime(db, SEARCH_LIMIT_MS, async (bounded) => {
        const [plainLike, foldedLike] = [`${escapeLike(plain)}%`, `${escapeLike(folded)}%`]
        const { rows } = await sql<FoundNode>`
        with granted as materialized (${grants(scope)}),
        fitting as materialized (
          select company_id, level, name, folded, rank from (
            select tree_name.*, case
              when plain = ${plain} or folded = ${folded} then ${ranks.nameExact}::int
              when plain like ${plainLike} or folded like ${foldedLike} then ${ranks.nameStart}::int
              when strpos(plain, ${plain}) > 0 or strpos(folded, ${folded}) > 0 then ${ranks.nameInside}::int
              when starts_with(initials, ${latin}) or starts_with(pinyin, ${latin}) then ${ranks.pinyinStart}::int
              when char_length(${latin}::text) > 1 and strpos(initials, ${latin}) > 0
                or char_length(${latin}::text) > 2 and strpos(pinyin, ${latin}) > 0 then ${ranks.pinyinInside}::int
              end as rank
            from tree_name where company_id in (select company_id from granted)) ranked
          where rank is not null
          order by rank, level, char_length(folded), folded, name, company_id)
        select found.id as "nodeId", found.path, fitting.level, fitting.rank
        from fitting cross join lateral (
          select first.* from granted cross join lateral (
            select node.id, node.path, node.sort_path from node
            where ${isNamed('fitting')} and ${isInSubtree('node', 'granted')}
            order by node.sort_path limit ${limit}) first
          order by first.sort_path limit ${limit}) found
        order by rank, level, char_length(folded), folded, name, company_id, sort_path
        limit ${limit}`.execute(bounded)
        return rows
      }),

    async countNames(scope, candidates) {
      const counts = candidates.map((part) => sql`count(*) filter (where ${containsPart(part)})`)
      const counted = await withinTime(db, SEARCH_LIMIT_MS, (bounded) =>
        sql<{ counts: number[] }>`
          select array[${sql.join(counts)}]::int[] as counts from tree_name
          where company_id in (select company_id from (${grants(scope)}) granted)`.execute(bounded),
      )
      return counted && new Map(candidates.map((part, index) => [part, counted.rows[0]?.counts[index] ?? 0]))
    },

    findByParts: (scope, parts, limit) =>
      withinTime(
        db,
        SEARCH_LIMIT_MS,
        async (bounded) => (await selectByParts(scope, parts, limit).execute(bounded)).rows,
        // From the first part down, as written.
        { join_collapse_limit: '1' },
      ),

    listSteps: (ids) =>
      db
        .selectFrom('node')
        .select(['id', sql<string | null>`uuid::text`.as('uuid'), 'address', 'kind', 'name', 'level'])
        .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
        .execute(),
  }
}
