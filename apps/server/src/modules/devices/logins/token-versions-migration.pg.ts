import { type Kysely, sql } from 'kysely'

/**
 * A token holds for one password of a gateway in one place. The trigger withdraws it when the password changes, when the
 * device is removed, retired or moved to another node, and when it no longer connects by itself.
 */
export async function addTokenVersions<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`
    alter table connection_token add column login_version int not null default 0,
      add column withdrawn_at timestamptz`.execute(db)
  await sql`alter table connection_token alter column login_version drop default`.execute(db)
  await sql`
    update connection_token set login_version = device.login_version from device
    where device.company_id = connection_token.company_id
      and device.serial = connection_token.serial`.execute(db)
  await sql`
    create function isotherm_withdraw_token() returns trigger language plpgsql as $$
    begin
      update connection_token set withdrawn_at = now()
      where company_id = old.company_id and serial = old.serial and withdrawn_at is null;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger withdraw_token after delete on device for each row
    execute function isotherm_withdraw_token()`.execute(db)
  await sql`
    create trigger withdraw_changed_token
    after update of login_version, login_revoked, retired_at, node_id, concentrator_id, serial on device for each row
    when ((old.login_version, old.login_revoked, old.retired_at, old.node_id, old.concentrator_id, old.serial)
      is distinct from
      (new.login_version, new.login_revoked, new.retired_at, new.node_id, new.concentrator_id, new.serial))
    execute function isotherm_withdraw_token()`.execute(db)
}
