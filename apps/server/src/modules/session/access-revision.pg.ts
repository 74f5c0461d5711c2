import { type Kysely, sql } from 'kysely'

/**
 * Keeps a number that has risen for whoever sees a change of what somebody may do or see: what was read under the
 * same number still holds. `access_changed` is signalled with it. Every way in which access can change has its
 * trigger here, so that no code that changes it can forget.
 */
export async function addAccessRevision(db: Kysely<unknown>): Promise<void> {
  // A number that has risen for whoever sees a change of what somebody may see or do: what was read under
  // the same number still holds. It is raised as the last act of a transaction, so that those that change
  // access wait for each other no longer than for the disk, and never in a ring.
  await sql`
    create table access_revision (
      id boolean primary key default true check (id),
      revision bigint not null default 0
    )`.execute(db)
  await sql`insert into access_revision default values`.execute(db)
  await sql`create unlogged table access_change (id bigint generated always as identity primary key)`.execute(
    db,
  )
  await sql`
    create function isotherm_raise_access() returns trigger language plpgsql as $$
    begin
      delete from access_change where id = new.id;
      update access_revision set revision = revision + 1;
      return null;
    end $$`.execute(db)
  await sql`
    create constraint trigger raise_access after insert on access_change
    deferrable initially deferred for each row execute function isotherm_raise_access()`.execute(db)
  // Once a transaction, or once more after a part of it was undone.
  await sql`
    create or replace function isotherm_tell_access() returns trigger language plpgsql as $$
    begin
      if current_setting('isotherm.access_told', true) is distinct from pg_current_xact_id()::text then
        perform set_config('isotherm.access_told', pg_current_xact_id()::text, true);
        insert into access_change default values;
        perform pg_notify('access_changed', '');
      end if;
      return null;
    end $$`.execute(db)
  // What is granted stays granted where it moves to. Of devices few are granted by themselves.
  await sql`
    create trigger tell_access after update of path on node
    for each statement execute function isotherm_tell_access()`.execute(db)
  await sql`
    create function isotherm_tell_device_access() returns trigger language plpgsql as $$
    begin
      if exists (select from account_device where device_id = new.id) then
        insert into access_change default values;
        perform pg_notify('access_changed', '');
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger tell_access after update of node_id on device
    for each row when (old.node_id is distinct from new.node_id)
    execute function isotherm_tell_device_access()`.execute(db)
  await sql`drop trigger tell_access on account`.execute(db)
  await sql`
    create trigger tell_access after update of sees_all, enabled, parent_id or delete on account
    for each statement execute function isotherm_tell_access()`.execute(db)
}
