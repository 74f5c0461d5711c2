import { type Kysely, sql } from 'kysely'
import type { Database } from '../postgres/database.pg.ts'
import type { ModuleMigrations } from '../postgres/module-migrations.ts'
import { type PreparedStatement, runPrepared } from '../postgres/prepared.pg.ts'
import { shareReadings } from '../tasks/shared-read.ts'
import type { SignalChannel } from './signals.ts'

/**
 * What is kept in memory, each under a number in the database that has risen for whoever sees a change of it: what
 * was read under the same number still holds, on every replica, from the moment the change is committed.
 * `access`: who is signed in, and what they may do and see. `groups`: the nodes of the tree, and the controllers of its groups.
 * `places`: where nodes lie on the map.
 */
export type RevisionName = 'access' | 'groups' | 'places'

export type Revisions = Readonly<Record<RevisionName, number>>

const all: PreparedStatement = { name: 'revisions', text: 'select access, groups, places from revision' }

async function readAll(db: Database): Promise<Revisions> {
  const [row] = await runPrepared<Revisions>(db, all)
  if (!row) throw new Error('the table of revisions is empty')
  return row
}

const readingsOf = new WeakMap<Database, () => Promise<Revisions>>()

/** Reads the numbers: the least a call can ask of the database. Calls that begin meanwhile share the next reading. */
export function readRevisions(db: Database): Promise<Revisions> {
  const known = readingsOf.get(db)
  if (known) return known()
  const read = shareReadings(() => readAll(db))
  readingsOf.set(db, read)
  return read()
}

/** A change that raises a number. */
export interface Revised {
  readonly name: RevisionName
  readonly table: string
  /** As in `create trigger`: insert or update of path or delete. */
  readonly events: string
  /** Which rows count, as in `create trigger`. Without it a statement does, whatever it changes. */
  readonly when?: string
  /** What is signalled with it. */
  readonly signal?: SignalChannel
}

/** Lets a change of a table raise a number; for migrations. Every way to change what is kept needs one. */
export async function reviseAt(
  db: Kysely<unknown>,
  { name, table, events, when, signal }: Revised,
): Promise<void> {
  const trigger = `revise_${name}_${events.replaceAll(/[^a-z]+/g, '_')}`
  const each = when === undefined ? 'for each statement' : `for each row when (${when})`
  const given = signal === undefined ? `'${name}'` : `'${name}', '${signal}'`
  await sql`
    create trigger ${sql.id(trigger)} after ${sql.raw(events)} on ${sql.table(table)}
    ${sql.raw(each)} execute function isotherm_revise(${sql.raw(given)})`.execute(db)
}

/**
 * The numbers are raised as the last act of a transaction, so that those that raise them wait for each other no
 * longer than for the disk; and all are one row, so that they never wait in a ring.
 */
export const revisionMigrations: ModuleMigrations = {
  module: 'revision',
  migrations: {
    '001_revisions': {
      async up(db) {
        await sql`
          create table revision (
            id boolean primary key default true check (id),
            access bigint not null default 0,
            groups bigint not null default 0
          )`.execute(db)
        await sql`insert into revision default values`.execute(db)
        await sql`
          create unlogged table revision_due (
            id bigint generated always as identity primary key,
            name text not null
          )`.execute(db)
        await sql`
          create function isotherm_raise_revision() returns trigger language plpgsql as $$
          begin
            delete from revision_due where id = new.id;
            execute format('update revision set %1$I = %1$I + 1', new.name);
            return null;
          end $$`.execute(db)
        await sql`
          create constraint trigger raise after insert on revision_due
          deferrable initially deferred for each row execute function isotherm_raise_revision()`.execute(db)
        // Once a transaction, or once more after a part of it was undone.
        await sql`
          create function isotherm_revise() returns trigger language plpgsql as $$
          declare
            told text := 'isotherm.revised_' || tg_argv[0];
          begin
            if current_setting(told, true) is distinct from pg_current_xact_id()::text then
              perform set_config(told, pg_current_xact_id()::text, true);
              insert into revision_due (name) values (tg_argv[0]);
              if tg_nargs > 1 then perform pg_notify(tg_argv[1], ''); end if;
            end if;
            return null;
          end $$`.execute(db)
      },
    },
    '002_places': {
      async up(db) {
        await sql`alter table revision add column places bigint not null default 0`.execute(db)
      },
    },
  },
}
