import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../platform/database.pg.ts'
import type { Scope } from '../../platform/scope.ts'
import { type FoundNode, ranks, type TreeSearchStore } from './search-store.ts'
import { toPartPattern } from './search-text.ts'

/** How long one search of addresses may take, ms. */
const ADDRESS_LIMIT_MS = 500
const CUT_SHORT = '57014'
const codeOf = z.object({ code: z.string() })

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

const isLetters = (part: string): boolean => /^[a-z]+$/.test(part)

/** Condition that a row of tree_name contains a part of an address. */
const containsPart = (part: string): RawBuilder<boolean> => {
  const written = sql<boolean>`(strpos(folded, ${part}) > 0 and folded ~ ${toPartPattern(part)})`
  return isLetters(part)
    ? sql<boolean>`(${written} or starts_with(initials, ${part}) or starts_with(pinyin, ${part}))`
    : written
}

/** The query behind findByParts: node 1 has the first part, node 2 below it the second, and so on. */
function selectByParts(scope: Scope, parts: readonly string[], limit: number): RawBuilder<FoundNode> {
  const names = parts.map(
    (part, index) => sql`${sql.id(`name${index}`)} as materialized (
      select company_id, level, name from tree_name
      where company_id in (select company_id from granted) and ${containsPart(part)})`,
  )
  const joins = parts.map((_, index) => {
    const [name, above] = [`name${index}`, `node${index - 1}`]
    const of = (column: string) => sql.ref(`${name}.${column}`)
    // `offset 0` keeps the planner from reading all nodes of a name where a few below one node are asked for.
    const nodes = sql`lateral (
      select node.id, node.company_id, node.path, node.sort_path, node.level from node
      where node.company_id = ${of('company_id')} and node.name = ${of('name')} and node.level = ${of('level')}
        ${index === 0 ? sql`` : sql`and ${isInSubtree('node', above)}`}
      offset 0) ${sql.id(`node${index}`)}`
    if (index === 0) return sql`${sql.id(name)} cross join ${nodes}`
    return sql`join ${sql.id(name)} on ${of('company_id')} = ${sql.ref(`${above}.company_id`)}
      and ${of('level')} > ${sql.ref(`${above}.level`)} cross join ${nodes}`
  })
  const last = `node${parts.length - 1}`
  const ref = (column: string) => sql.ref(`${last}.${column}`)
  return sql<FoundNode>`
    with granted as materialized (${grants(scope)}), ${sql.join(names)}
    select ${ref('id')} as "nodeId", ${ref('path')} as path, ${ref('level')} as level, ${ranks.address}::int as rank
    from ${sql.join(joins, sql` `)}
    join granted on ${isInSubtree(last, 'granted')}
    group by ${ref('id')}, ${ref('path')}, ${ref('level')}, ${ref('company_id')}, ${ref('sort_path')}
    order by ${ref('level')}, min(${ref('level')} - node0.level), ${ref('company_id')}, ${ref('sort_path')}
    limit ${limit}`
}

export function createTreeSearchStore(db: Database): TreeSearchStore {
  return {
    async findByName(scope, { plain, folded, latin = null }, limit) {
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
          select node.id, node.path, node.sort_path from granted
          join node on ${isInSubtree('node', 'granted')}
          where node.company_id = fitting.company_id and node.name = fitting.name and node.level = fitting.level
          order by node.sort_path limit ${limit}) found
        order by rank, level, char_length(folded), folded, name, company_id, sort_path
        limit ${limit}`.execute(db)
      return rows
    },

    async findKnownParts(scope, candidates) {
      const known = candidates.map(
        (part) => sql`(select ${part}::text as part where exists (
          select from tree_name where company_id in (select company_id from granted) and ${containsPart(part)}))`,
      )
      const { rows } = await sql<{ part: string }>`
        with granted as materialized (${grants(scope)})
        ${sql.join(known, sql` union all `)}`.execute(db)
      return new Set(rows.map(({ part }) => part))
    },

    async findByParts(scope, parts, limit) {
      try {
        return await db.transaction().execute(async (transaction) => {
          // From the first part down, as written.
          await sql`
            select set_config('statement_timeout', ${String(ADDRESS_LIMIT_MS)}, true),
              set_config('join_collapse_limit', '1', true)`.execute(transaction)
          return (await selectByParts(scope, parts, limit).execute(transaction)).rows
        })
      } catch (error) {
        if (codeOf.safeParse(error).data?.code === CUT_SHORT) return undefined
        throw error
      }
    },

    listSteps: (ids) =>
      db
        .selectFrom('node')
        .select(['id', sql<string | null>`uuid::text`.as('uuid'), 'address', 'kind', 'name', 'level'])
        .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
        .execute(),
  }
}
