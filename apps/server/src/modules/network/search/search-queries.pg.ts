import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { setRemainingTimeout, withStatementTimeout } from '../../../platform/postgres/statement-timeout.pg.ts'
import { type KnownName, rankNames } from '../names/search-match.ts'
import type { SearchText } from '../names/search-text.ts'
import type { FoundNode, StepRow } from './found-node.ts'
import { type KnownPart, toLevels } from './search-levels.ts'
import { findAny, findFromKnown, findFromNames, findFromNodes } from './search-names.pg.ts'
import { containsPart, selectByParts, toKnownNames } from './search-parts.pg.ts'
import { hasFewSubtrees, namesInScope } from './search-scope.pg.ts'
import type { Findings, LargeSearchScope } from './search-scope.ts'

/** Where the queries of a search run. `limitMs` is the timeout of one statement. */
export interface SearchDatabase {
  readonly db: Database
  readonly limitMs: number
}

/** Reads names of the scope's companies, at most `limit`, in any order. */
export async function readNames(
  db: Database,
  searchScope: LargeSearchScope,
  limit: number,
): Promise<readonly KnownName[]> {
  const { rows } = await sql<KnownName>`
    select company_id as "companyId", level, name, plain, folded, pinyin, initials
    from ${namesInScope(searchScope)} names limit ${limit}`.execute(db)
  return rows
}

/**
 * Finds nodes of the scope by their names, best first, at most `limit`. `names` are those of the scope's companies in
 * the order of compareNames, if they are in memory.
 */
export async function findByName(
  { db, limitMs }: SearchDatabase,
  searchScope: LargeSearchScope,
  text: SearchText,
  limit: number,
  names?: readonly KnownName[],
): Promise<Findings<FoundNode>> {
  const ranked = names && rankNames(names, text)
  if (ranked?.length === 0) return { found: [], isIncomplete: false }
  const best = hasFewSubtrees(searchScope)
    ? await withStatementTimeout(db, limitMs, (bounded) =>
        ranked
          ? findFromKnown(bounded, searchScope, ranked, { limit, limitMs })
          : findFromNames(bounded, searchScope, text, limit),
      )
    : undefined
  // Nodes with the best names come first in the answer. Other names matter only if the best ones have too few nodes.
  if (best && (best.found.length >= limit || !best.hasMoreNames))
    return { found: best.found, isIncomplete: false }
  const all =
    best || !hasFewSubtrees(searchScope)
      ? await withStatementTimeout(db, limitMs, (bounded) => findFromNodes(bounded, searchScope, text, limit))
      : undefined
  if (all) return { found: all, isIncomplete: false }
  if (best) return { found: best.found, isIncomplete: true }
  const some = await withStatementTimeout(db, limitMs, (bounded) =>
    findAny(bounded, searchScope, text, limit),
  )
  return { found: some ?? [], isIncomplete: true }
}

/** Counts, for each text, the names of the scope's companies that contain it, by level; undefined on timeout. */
export async function countNames(
  { db, limitMs }: SearchDatabase,
  searchScope: LargeSearchScope,
  texts: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<number, number>> | undefined> {
  const counts = texts.map((part) => sql`count(*) filter (where ${containsPart(part)})`)
  const counted = await withStatementTimeout(db, limitMs, (bounded) =>
    sql<{ level: number; counts: number[] }>`
      select level, array[${sql.join(counts)}]::int[] as counts from ${namesInScope(searchScope)} names
      group by level`.execute(bounded),
  )
  const byLevel = (index: number) =>
    new Map(
      counted?.rows.flatMap(({ level, counts: of }) => (of[index] ? [[level, of[index]] as const] : [])),
    )
  return counted && new Map(texts.map((part, index) => [part, byLevel(index)]))
}

/**
 * Finds nodes of the scope whose name contains the last part and whose ancestors contain the other parts in order.
 * At most `limit`; `names` as in findByName.
 */
export async function findByParts(
  { db, limitMs }: SearchDatabase,
  searchScope: LargeSearchScope,
  parts: readonly KnownPart[],
  limit: number,
  names?: readonly KnownName[],
): Promise<Findings<FoundNode>> {
  const found: FoundNode[] = []
  const chains = toLevels(parts)
  if (chains.length === 0) return { found, isIncomplete: false }
  const known = names && parts.map((part) => toKnownNames(names, part))
  const done = await withStatementTimeout(
    db,
    limitMs,
    async (bounded) => {
      for (const [index, levels] of chains.entries()) {
        const { rows } = await selectByParts(searchScope, { parts, levels, known }, limit).execute(bounded)
        // A node below two matches of the first part counts for the nearer match, found first.
        const before = new Set(found.map(({ nodeId }) => nodeId))
        found.push(...rows.filter(({ nodeId }) => !before.has(nodeId)))
        if (found.length >= limit || index === chains.length - 1) break
        await setRemainingTimeout(bounded, limitMs)
      }
      return true
    },
    // Join in the written order, from the first part down.
    { join_collapse_limit: '1' },
  )
  return { found: found.slice(0, limit), isIncomplete: done === undefined }
}

/** Reads nodes as steps of a path, in any order. */
export const listSteps = (db: Database, ids: readonly number[]): Promise<readonly StepRow[]> =>
  db
    .selectFrom('node')
    .select(['id', sql<string | null>`uuid::text`.as('uuid'), 'address', 'kind', 'name', 'level'])
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .execute()
