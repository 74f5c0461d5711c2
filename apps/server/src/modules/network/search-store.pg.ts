import { sql } from 'kysely'
import type { Database } from '../../platform/database.pg.ts'
import { withinTime } from '../../platform/within-time.pg.ts'
import { hasFewSubtrees, namesOfField, openField } from './search-field.pg.ts'
import { findAny, findFromNames, findFromNodes } from './search-names.pg.ts'
import { containsPart, selectByParts } from './search-parts.pg.ts'
import type { TreeSearchStore } from './search-store.ts'

/** `limitMs` is how long one statement may take. */
export function createTreeSearchStore(db: Database, limitMs: number): TreeSearchStore {
  return {
    openField: (scope) => openField(db, scope),

    async findByName(field, text, limit) {
      const best = hasFewSubtrees(field)
        ? await withinTime(db, limitMs, (bounded) => findFromNames(bounded, field, text, limit))
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
      // Of few nodes none was found in time; of many at least some should be.
      const some =
        field.kind === 'nodes'
          ? undefined
          : await withinTime(db, limitMs, (bounded) => findAny(bounded, field, text, limit))
      return { found: some ?? [], isCut: true }
    },

    async countNames(field, texts) {
      const counts = texts.map((part) => sql`count(*) filter (where ${containsPart(part)})`)
      const counted = await withinTime(db, limitMs, (bounded) =>
        sql<{ counts: number[] }>`
          select array[${sql.join(counts)}]::int[] as counts from ${namesOfField(field)} names`.execute(
          bounded,
        ),
      )
      return counted && new Map(texts.map((part, index) => [part, counted.rows[0]?.counts[index] ?? 0]))
    },

    async findByParts(field, parts, limit) {
      const found = await withinTime(
        db,
        limitMs,
        async (bounded) => (await selectByParts(field, parts, limit).execute(bounded)).rows,
        // From the first part down, as written.
        { join_collapse_limit: '1' },
      )
      return { found: found ?? [], isCut: found === undefined }
    },

    listSteps: (ids) =>
      db
        .selectFrom('node')
        .select(['id', sql<string | null>`uuid::text`.as('uuid'), 'address', 'kind', 'name', 'level'])
        .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
        .execute(),
  }
}
