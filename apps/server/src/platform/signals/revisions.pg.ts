import { type Kysely, sql } from 'kysely'
import type { Database } from '../postgres/database.pg.ts'
import type { ModuleMigrations } from '../postgres/module-migrations.ts'
import { type PreparedStatement, runPrepared } from '../postgres/prepared.pg.ts'
import { createSharedRead } from '../tasks/shared-read.ts'
import type { SignalChannel } from './signals.ts'

/**
 * Names of the cache revisions. A revision is a number in the database that rises with each committed change of the data.
 * Cached data is valid, on every replica, as long as its revision is unchanged.
 * `access`: sessions, permissions and grants. `groups`: the nodes of the tree and the controllers of its groups.
 * `places`: positions of nodes on the map.
 */
export type RevisionName = 'access' | 'groups' | 'places'

export type Revisions = Readonly<Record<RevisionName, number>>

const all: PreparedStatement = { name: 'revisions', text: 'select access, groups, places from revision' }

async function readAll(db: Database): Promise<Revisions> {
  const [row] = await runPrepared<Revisions>(db, all)
  if (!row) throw new Error('the table of revisions is empty')
  return row
}

const sharedReads = new WeakMap<Database, () => Promise<Revisions>>()

/** Reads the revisions. This is the only query of many calls. Concurrent calls share a read. */
export function readRevisions(db: Database): Promise<Revisions> {
  const known = sharedReads.get(db)
  if (known) return known()
  const read = createSharedRead(() => readAll(db))
  sharedReads.set(db, read)
  return read()
}

/** Changes of a table that raise a revision. */
export interface RevisionTrigger {
  readonly name: RevisionName
  readonly table: string
  /** As in `create trigger`, for example: insert or update of path or delete. */
  readonly events: string
  /** Condition on the row, as in `create trigger`. Absent: every statement counts, even one that changes no row. */
  readonly when?: string
  /** Signal that is sent together with the change. */
  readonly signal?: SignalChannel
}

/** For migrations: raises a revision with changes of a table. Every change of cached data needs such a trigger. */
export async function addRevisionTrigger(
  db: Kysely<unknown>,
  { name, table, events, when, signal }: RevisionTrigger,
): Promise<void> {
  const trigger = `revise_${name}_${events.replaceAll(/[^a-z]+/g, '_')}`
  const each = when === undefined ? 'for each statement' : `for each row when (${when})`
  const given = signal === undefined ? `'${name}'` : `'${name}', '${signal}'`
  await sql`
    create trigger ${sql.id(trigger)} after ${sql.raw(events)} on ${sql.table(table)}
    ${sql.raw(each)} execute function isotherm_revise(${sql.raw(given)})`.execute(db)
}

/**
 * A transaction raises revisions as its last step, so that concurrent transactions wait for each other only during the
 * commit. All revisions are one row, so that they cannot deadlock.
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
        // Once per transaction, and again after a rollback to a savepoint.
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
