import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { spendRestOf, withinTime } from '../../../platform/postgres/statement-timeout.pg.ts'
import { readRevisions } from '../../../platform/signals/revisions.pg.ts'
import { type KnownName, rankNames } from '../names/search-match.ts'
import { toLevels } from './search-levels.ts'
import { findAny, findFromKnown, findFromNames, findFromNodes } from './search-names.pg.ts'
import { containsPart, selectByParts, toKnownNames } from './search-parts.pg.ts'
import { hasFewSubtrees, namesOfField, openField } from './search-scope.pg.ts'
import type { FoundNode, TreeSearchStore } from './search-store.ts'

/** `limitMs` is how long one statement may take. */
export function createTreeSearchStore(db: Database, limitMs: number): TreeSearchStore {
  return {
    readRevision: async () => (await readRevisions(db)).groups,
    openField: (scope) => openField(db, scope),

    async readNames(field, limit) {
      const { rows } = await sql<KnownName>`
        select company_id as "companyId", level, name, plain, folded, pinyin, initials
        from ${namesOfField(field)} names limit ${limit}`.execute(db)
      return rows
    },

    async findByName(field, text, limit, names) {
      const ranked = names && rankNames(names, text)
      if (ranked?.length === 0) return { found: [], isCut: false }
      const best = hasFewSubtrees(field)
        ? await withinTime(db, limitMs, (bounded) =>
            ranked
              ? findFromKnown(bounded, field, ranked, { limit, limitMs })
              : findFromNames(bounded, field, text, limit),
          )
        : undefined
      // The best names come first in the answer, so that others matter only where those bear too few nodes.
      if (best && (best.found.length >= limit || !best.hasMoreNames))
        return { found: best.found, isCut: false }
      const all =
        best || !hasFewSubtrees(field)
          ? await withinTime(db, limitMs, (bounded) => findFromNodes(bounded, field, text, limit))
          : undefined
      if (all) return { found: all, isCut: false }
      if (best) return { found: best.found, isCut: true }
      const some = await withinTime(db, limitMs, (bounded) => findAny(bounded, field, text, limit))
      return { found: some ?? [], isCut: true }
    },

    async countNames(field, texts) {
      const counts = texts.map((part) => sql`count(*) filter (where ${containsPart(part)})`)
      const counted = await withinTime(db, limitMs, (bounded) =>
        sql<{ level: number; counts: number[] }>`
          select level, array[${sql.join(counts)}]::int[] as counts from ${namesOfField(field)} names
          group by level`.execute(bounded),
      )
      const byLevel = (index: number) =>
        new Map(
          counted?.rows.flatMap(({ level, counts: of }) => (of[index] ? [[level, of[index]] as const] : [])),
        )
      return counted && new Map(texts.map((part, index) => [part, byLevel(index)]))
    },

    async findByParts(field, parts, limit, names) {
      const found: FoundNode[] = []
      const ways = toLevels(parts)
      if (ways.length === 0) return { found, isCut: false }
      const known = names && parts.map((part) => toKnownNames(names, part))
      const inTime = await withinTime(
        db,
        limitMs,
        async (bounded) => {
          for (const [index, levels] of ways.entries()) {
            const rows = await selectByParts(field, { parts, levels, known }, limit).execute(bounded)
            // A node below two that contain the first part is found from the nearer one.
            const before = new Set(found.map(({ nodeId }) => nodeId))
            found.push(...rows.rows.filter(({ nodeId }) => !before.has(nodeId)))
            if (found.length >= limit || index === ways.length - 1) break
            await spendRestOf(bounded, limitMs)
          }
          return true
        },
        // From the first part down, as written.
        { join_collapse_limit: '1' },
      )
      return { found: found.slice(0, limit), isCut: inTime === undefined }
    },

    listSteps: (ids) =>
      db
        .selectFrom('node')
        .select(['id', sql<string | null>`uuid::text`.as('uuid'), 'address', 'kind', 'name', 'level'])
        .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
        .execute(),
  }
}
