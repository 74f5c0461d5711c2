import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { FORMS_VERSION, toNameForms } from './name-forms.ts'

interface NameOfLevel {
  readonly company_id: number
  readonly level: number
  readonly name: string
}

const ROWS_PER_STATEMENT = 5_000

/** Upserts names with their forms. `db` may be at any migration that has the table tree_name. */
async function saveNames<Stage>(db: Kysely<Stage>, names: readonly NameOfLevel[]): Promise<void> {
  for (let start = 0; start < names.length; start += ROWS_PER_STATEMENT) {
    const rows = names
      .slice(start, start + ROWS_PER_STATEMENT)
      .map((row) => ({ ...row, ...toNameForms(row.name) }))
    await sql`
      insert into tree_name (company_id, level, name, plain, folded, pinyin, initials, forms)
      select *, ${FORMS_VERSION}::smallint from unnest(
        ${rows.map((row) => row.company_id)}::bigint[], ${rows.map((row) => row.level)}::smallint[],
        ${rows.map((row) => row.name)}::text[], ${rows.map((row) => row.plain)}::text[],
        ${rows.map((row) => row.folded)}::text[], ${rows.map((row) => row.pinyin)}::text[],
        ${rows.map((row) => row.initials)}::text[])
      on conflict (company_id, name, level) do update set plain = excluded.plain, folded = excluded.folded,
        pinyin = excluded.pinyin, initials = excluded.initials, forms = excluded.forms`.execute(db)
  }
}

/** Brings tree_name up to date with the nodes of one company, or of all companies. */
export async function syncTreeNames<Stage>(db: Kysely<Stage>, companyId?: number): Promise<void> {
  const ofCompany = companyId === undefined ? sql`true` : sql`company_id = ${companyId}`
  const { rows } = await sql<NameOfLevel>`
    select distinct company_id, level, name from node where ${ofCompany}
    except select company_id, level, name from tree_name where ${ofCompany} and forms = ${FORMS_VERSION}
    order by company_id, name, level`.execute(db)
  await saveNames(db, rows)
  await sql`
    delete from tree_name where ${ofCompany} and not exists (
      select from node where node.company_id = tree_name.company_id
        and node.name = tree_name.name and node.level = tree_name.level)`.execute(db)
}

/** Names of nodes, each with its node's level (parallel arrays). */
export interface LevelNames {
  readonly levels: readonly number[]
  readonly names: readonly string[]
}

/** Adds the names of newly written nodes to tree_name if they are missing there. */
export async function addTreeNames(
  db: Transaction<Tables>,
  companyId: number,
  { levels, names }: LevelNames,
): Promise<void> {
  const { rows } = await sql<NameOfLevel>`
    select distinct ${companyId}::bigint as company_id, level, name
    from unnest(${[...levels]}::smallint[], ${[...names]}::text[]) given (level, name)
    where not exists (
      select from tree_name where tree_name.company_id = ${companyId}
        and tree_name.name = given.name and tree_name.level = given.level)
    order by name, level`.execute(db)
  await saveNames(db, rows)
}

/** Removes those of the given names from tree_name that no node has any more. */
export async function dropTreeNames(
  db: Transaction<Tables>,
  companyId: number,
  { levels, names }: LevelNames,
): Promise<void> {
  await sql`
    delete from tree_name using unnest(${[...levels]}::smallint[], ${[...names]}::text[]) given (level, name)
    where tree_name.company_id = ${companyId} and tree_name.name = given.name and tree_name.level = given.level
      and not exists (
        select from node where node.company_id = ${companyId}
          and node.name = given.name and node.level = given.level)`.execute(db)
}

/** Recomputes all name forms that another FORMS_VERSION wrote. */
export async function refreshTreeNames(db: Database): Promise<void> {
  const stale = db.selectFrom('tree_name').select('name').where('forms', '<>', FORMS_VERSION).limit(1)
  if (await stale.executeTakeFirst())
    await db.transaction().execute((transaction) => syncTreeNames(transaction))
}
