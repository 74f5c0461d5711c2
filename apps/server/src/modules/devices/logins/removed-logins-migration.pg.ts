import { type Kysely, sql } from 'kysely'

/** A replaced or revoked password stays invalid after its device is removed, also if the device is registered again. */
export async function addRemovedLogins<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table removed_login (
      company_id bigint not null references company on delete cascade,
      serial text not null,
      login_version int not null check (login_version > 0),
      primary key (company_id, serial)
    )`.execute(db)
  await sql`
    create function isotherm_remove_login() returns trigger language plpgsql as $$
    begin
      insert into removed_login (company_id, serial, login_version)
      values (old.company_id, old.serial, old.login_version + old.login_revoked::int)
      on conflict (company_id, serial) do update
        set login_version = greatest(removed_login.login_version, excluded.login_version);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger remove_login after delete on device for each row
    when (old.login_version > 0 or old.login_revoked) execute function isotherm_remove_login()`.execute(db)
  await sql`
    create function isotherm_restore_login() returns trigger language plpgsql as $$
    begin
      new.login_version := greatest(new.login_version, (select login_version from removed_login
        where company_id = new.company_id and serial = new.serial));
      return new;
    end $$`.execute(db)
  await sql`
    create trigger restore_login before insert on device for each row
    execute function isotherm_restore_login()`.execute(db)
}
