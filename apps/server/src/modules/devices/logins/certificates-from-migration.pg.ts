import { type Kysely, sql } from 'kysely'

/**
 * A revocation also ends the certificates that a gateway had until then, for ever: a thief with its key must not come back
 * when the gateway gets a new password. It stays so if the device is removed and comes back.
 */
export async function addCertificatesFrom<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`alter table device add column certificates_from timestamptz`.execute(db)
  await sql`alter table removed_login add column certificates_from timestamptz`.execute(db)
  await sql`update device set certificates_from = now() where login_revoked`.execute(db)
  await sql`
    create or replace function isotherm_remove_login() returns trigger language plpgsql as $$
    begin
      insert into removed_login (company_id, serial, login_version, certificates_from)
      values (old.company_id, old.serial, old.login_version + old.login_revoked::int, old.certificates_from)
      on conflict (company_id, serial) do update
        set login_version = greatest(removed_login.login_version, excluded.login_version),
          certificates_from = greatest(removed_login.certificates_from, excluded.certificates_from);
      return null;
    end $$`.execute(db)
  await sql`
    create or replace function isotherm_restore_login() returns trigger language plpgsql as $$
    declare removed removed_login;
    begin
      select * into removed from removed_login where company_id = new.company_id and serial = new.serial;
      new.login_version := greatest(new.login_version, removed.login_version);
      new.certificates_from := greatest(new.certificates_from, removed.certificates_from);
      return new;
    end $$`.execute(db)
}
