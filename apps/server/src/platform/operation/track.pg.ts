import { type Kysely, sql } from 'kysely'

export interface Tracked {
  readonly table: string
  /** Name of the entity in the log; a kind of thing the user knows. */
  readonly entity: string
  /** Columns worth noting before and after a change; a change of any of them makes a new version. */
  readonly columns: readonly string[]
  /** Columns that name a row; `id` unless it has none, and then only additions and removals are noted. */
  readonly id?: readonly string[]
}

/**
 * For migrations: gives a table its versions, and notes in the operation log whatever changes its rows. Given
 * again, later columns included, it stands in for what was said before.
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
