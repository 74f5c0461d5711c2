import { type Kysely, sql } from 'kysely'

/** Adds the duties that nobody may combine. The table has rows only while the switch is on. */
export async function addDuties(db: Kysely<unknown>): Promise<void> {
  await sql`create table duty (permission text primary key, duty text not null)`.execute(db)
  // The trigger checks every statement that gives a permission or a role, also those of code that does not know of
  // duties.
  await sql`
    create function isotherm_check_duties() returns trigger language plpgsql as $$
    begin
      if not exists (select from duty) then return null; end if;
      -- One after the other: two changes at the same time would not see that together they combine duties.
      perform pg_advisory_xact_lock(hashtext('isotherm duties'));
      if exists (
        select from role_permission join duty on duty.permission = role_permission.permission
        where role_permission.role_id in (select role_id from new_rows)
        group by role_permission.role_id having count(distinct duty.duty) > 1)
      or exists (
        select from account_role join role_permission on role_permission.role_id = account_role.role_id
        join duty on duty.permission = role_permission.permission
        where account_role.account_id in (
          select held.account_id from account_role held where held.role_id in (select role_id from new_rows))
        group by account_role.account_id having count(distinct duty.duty) > 1)
      then
        raise exception using errcode = 'check_violation', constraint = 'separate_duties',
          message = 'a role or an account would combine two of the duties system, security and audit';
      end if;
      return null;
    end $$`.execute(db)
  for (const table of ['role_permission', 'account_role']) {
    await sql`
      create trigger check_duties after insert on ${sql.table(table)} referencing new table as new_rows
      for each statement execute function isotherm_check_duties()`.execute(db)
  }
}
