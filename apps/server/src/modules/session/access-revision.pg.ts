import { type Kysely, sql } from 'kysely'
import { addRevisionTrigger } from '../../platform/signals/revisions.pg.ts'

const tables = [
  ['account_node', 'insert or update or delete'],
  ['account_device', 'insert or update or delete'],
  ['account_role', 'insert or update or delete'],
  ['role_permission', 'insert or update or delete'],
  ['module', 'update of enabled or delete'],
  ['account', 'update of account, sees_all, enabled, parent_id, kind, company_id or delete'],
  // A granted node stays granted at its new place, so the paths of the grant change.
  ['node', 'update of path'],
] as const

/** A new project belongs to the access of provider staff who see everything that a server of some companies serves. */
export const reviseAccessOfProjects = (db: Kysely<unknown>): Promise<void> =>
  addRevisionTrigger(db, {
    name: 'access',
    table: 'node',
    events: 'insert',
    signal: 'access_changed',
    when: "new.kind = 'project'",
  })

/** Adds triggers that raise and signal the access revision with every change of what an account may do or see. */
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
    await addRevisionTrigger(db, { name: 'access', table, events, signal: 'access_changed' })
  }
  // Few moved devices are granted themselves; a move of any other device does not change access.
  await sql`
    create function isotherm_is_granted(device_id bigint) returns boolean language sql stable as $$
      select exists (select from account_device where account_device.device_id = $1) $$`.execute(db)
  await addRevisionTrigger(db, {
    name: 'access',
    table: 'device',
    events: 'update of node_id',
    signal: 'access_changed',
    when: 'old.node_id is distinct from new.node_id and isotherm_is_granted(new.id)',
  })
  // Not signalled: open connections are notified of the end of their session by session_ended.
  await addRevisionTrigger(db, { name: 'access', table: 'session', events: 'update of ended_at' })
  await addRevisionTrigger(db, { name: 'access', table: 'token', events: 'update of expires_at' })
}
