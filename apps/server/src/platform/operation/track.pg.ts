import { type Kysely, sql } from 'kysely'

/** A table whose changes are recorded in the operation log. */
export interface Tracked {
  readonly table: string
  /** Name of the entity in the log, a term that users know. */
  readonly entity: string
  /** Columns that are recorded before and after a change. A change of any of them is a new version. */
  readonly columns: readonly string[]
  /** Key columns. Default `id`; with any other key only additions and removals are recorded. */
  readonly id?: readonly string[]
}

/**
 * For migrations: adds versions to a table and records changes of its rows in the operation log. A later call for the
 * same table, with more columns, replaces the earlier one.
 */
export async function trackChanges<Tables>(db: Kysely<Tables>, tracked: Tracked): Promise<void> {
  const { entity, columns, id = ['id'] } = tracked
  const table = sql.table(tracked.table)
  const parameters = sql.join([entity, id.join(','), columns.join(',')].map((text) => sql.lit(text)))
  const hasVersion = tracked.id === undefined
  if (hasVersion) {
    await sql`alter table ${table} add column if not exists version integer not null default 1`.execute(db)
    const old = sql.join(columns.map((column) => sql.ref(`old.${column}`)))
    const now = sql.join(columns.map((column) => sql.ref(`new.${column}`)))
    const changing = sql.join(columns.map((column) => sql.ref(column)))
    await sql`
      create or replace trigger bump_version before update of ${changing} on ${table}
      for each row when ((${old}) is distinct from (${now}))
      execute function isotherm_bump_version()`.execute(db)
    await sql`
      create or replace trigger note_changed after update on ${table}
      referencing old table as old_rows new table as new_rows
      for each statement execute function isotherm_note_changes(${parameters})`.execute(db)
  }
  await sql`
    create or replace trigger note_added after insert on ${table} referencing new table as new_rows
    for each statement execute function isotherm_note_changes(${parameters})`.execute(db)
  await sql`
    create or replace trigger note_removed after delete on ${table} referencing old table as old_rows
    for each statement execute function isotherm_note_changes(${parameters})`.execute(db)
}
