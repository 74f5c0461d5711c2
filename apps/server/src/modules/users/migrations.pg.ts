import { sql } from 'kysely'
import { trackChanges } from '../../platform/operation/track.pg.ts'
import type { ModuleMigrations } from '../../platform/postgres/module-migrations.ts'

const revs = ['password_rev', 'roles_rev', 'grants_rev']
const trackedOfAccount = [
  'account',
  'name',
  'tel',
  'utype',
  'enabled',
  'sees_all',
  'kind',
  'parent_id',
  'organisation_id',
  'p_account',
  ...revs,
]

export const usersMigrations: ModuleMigrations = {
  module: 'users',
  migrations: {
    '001_accounts': {
      async up(db) {
        for (const rev of revs) {
          await sql`alter table account add column ${sql.ref(rev)} integer not null default 1`.execute(db)
        }
        await trackChanges(db, { table: 'account', entity: 'account', columns: trackedOfAccount })
        await sql`alter table account add check (parent_id is null or not sees_all)`.execute(db)
        // Sub-accounts have one level and the company of their parent.
        await sql`
          create function isotherm_check_parent() returns trigger language plpgsql as $$
          declare
            parent account%rowtype;
          begin
            if new.parent_id is null then return new; end if;
            select * into parent from account where id = new.parent_id for share;
            if parent.parent_id is not null or parent.company_id is distinct from new.company_id
              or exists (select from account where account.parent_id = new.id)
            then
              raise exception using errcode = 'check_violation', constraint = 'account_parent_fits',
                message = 'a parent that is a sub-account, or a sub-account that is a parent, or of two companies';
            end if;
            return new;
          end $$`.execute(db)
        await sql`
          create trigger parent_fits before insert or update of parent_id, company_id on account
          for each row execute function isotherm_check_parent()`.execute(db)
        await sql`
          create table verification_code (
            id bigint generated always as identity primary key,
            tel text not null,
            account_id bigint not null references account on delete cascade,
            code_hash text not null,
            sent_at timestamptz not null,
            expires_at timestamptz not null,
            tries integer not null default 0 check (tries between 0 and 5),
            used_at timestamptz
          )`.execute(db)
        await sql`create index verification_code_tel on verification_code (tel, sent_at)`.execute(db)
        await sql`create index verification_code_account on verification_code (account_id, sent_at)`.execute(
          db,
        )
        await sql`create index verification_code_age on verification_code (sent_at)`.execute(db)
      },
    },
    '002_second_factor': {
      async up(db) {
        const columns = [...trackedOfAccount, 'second_factor_rev']
        await trackChanges(db, { table: 'account', entity: 'account', columns })
      },
    },
  },
}
