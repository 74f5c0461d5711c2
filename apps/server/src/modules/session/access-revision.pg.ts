import { type Kysely, sql } from 'kysely'
import { reviseAt } from '../../platform/signals/revisions.pg.ts'

const tables = [
  ['account_node', 'insert or update or delete'],
  ['account_device', 'insert or update or delete'],
  ['account_role', 'insert or update or delete'],
  ['role_permission', 'insert or update or delete'],
  ['module', 'update of enabled or delete'],
  ['account', 'update of account, sees_all, enabled, parent_id, kind, company_id or delete'],
  // What is granted stays granted where it moves to.
  ['node', 'update of path'],
] as const

/** Raises the revision of access, and signals it, with everything that alters what somebody may do or see. */
export async function reviseAccess(db: Kysely<unknown>): Promise<void> {
  for (const table of [
    'account_node',
    'account_device',
    'account_role',
    'role_permission',
    'module',
    'account',
  ]) {
    await sql`drop trigger tell_access on ${sql.table(table)}`.execute(db)
  }
  await sql`drop function isotherm_tell_access()`.execute(db)
  for (const [table, events] of tables) {
    await reviseAt(db, { name: 'access', table, events, signal: 'access_changed' })
  }
  // Of the devices that are moved few are granted by themselves.
  await sql`
    create function isotherm_is_granted(device_id bigint) returns boolean language sql stable as $$
      select exists (select from account_device where account_device.device_id = $1) $$`.execute(db)
  await reviseAt(db, {
    name: 'access',
    table: 'device',
    events: 'update of node_id',
    signal: 'access_changed',
    when: 'old.node_id is distinct from new.node_id and isotherm_is_granted(new.id)',
  })
  // Open connections hear of the end of their own session (session_ended).
  await reviseAt(db, { name: 'access', table: 'session', events: 'update of ended_at' })
  await reviseAt(db, { name: 'access', table: 'token', events: 'update of expires_at' })
}
