import { permissions } from '@isotherm/contract/access/permissions'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Call } from '../../../platform/http/call.ts'
import { refusal, startUsers, type TestUsers } from '../users.testkit.ts'

let users: TestUsers
let chief: Call

beforeAll(async () => {
  users = await startUsers()
  await users.createAccount('chief', permissions, ['p'])
  await users.createAccount('watcher', ['pe-fmreal'], [])
  chief = await users.as('chief')
})
afterAll(() => users.close())

test('the sub-accounts of a disabled account may do nothing, and their sessions end with its own', async () => {
  const roleIds = [await users.roleOf('watcher')]
  const nodes = [await users.nodeKey('s1')]
  const { id, version } = await users.register(chief, 'parent', { nodes, roleIds })
  const sub = await users.register(chief, 'sub', { secAccount: 'parent', nodes, roleIds })
  const token = await users.signIn('sub')
  const disabled = await users.handlers.editUserEnableState({ id, version, state: 0 }, chief)
  await expect(users.toCall(token)).rejects.toEqual(refusal('session.expired'))
  const { caller } = await users.toCall(await users.signIn('sub'))
  expect([caller.permissions.size, caller.scope]).toEqual([0, { kind: 'paths', paths: [] }])
  await users.handlers.editUserEnableState({ id, version: disabled.version, state: 1 }, chief)
  expect(await users.scopeOf('sub')).toEqual([await users.pathOf('s1')])
  expect(await users.versionOf(sub.id)).toBe(sub.version)
})

test('a sub-account cannot give a role with a disabled module that its parent does not have', async () => {
  const parentId = await users.createAccount('head', ['pu-usersetting'], ['p'])
  const id = await users.createAccount('deputy', ['pu-usersetting', 'pe-fmreal'], ['p'])
  const module = (enabled: boolean) =>
    users.db.updateTable('module').set({ enabled }).where('url', '=', 'pe-fmreal').execute()
  await module(false)
  const roleIds = [await users.roleOf('watcher')]
  await users.register(await users.as('deputy'), 'given', { roleIds })
  await users.db.updateTable('account').set({ parent_id: parentId }).where('id', '=', id).execute()
  const refused = users.register(await users.as('deputy'), 'not-given', { roleIds })
  await expect(refused).rejects.toEqual(refusal('account.beyond-yours', { what: 'watcher' }))
  await module(true)
})

test('giving a role that is deleted meanwhile fails with not-found', async () => {
  await users.createAccount('passing', ['pe-fmreal'], [])
  const roleIds = [await users.roleOf('passing')]
  await sql`delete from account_role where role_id = any(${roleIds}::bigint[])`.execute(users.db)
  const { id: uid, version } = await users.register(chief, 'late')
  const giving = await users.db.transaction().execute(async (transaction) => {
    await sql`delete from role where id = any(${roleIds}::bigint[])`.execute(transaction)
    const result = users.handlers.addUserRole({ uid, version, roleIds }, chief).then(
      () => 'given',
      (error: unknown) => error,
    )
    await vi.waitFor(
      async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(users.db)
        expect(rows).toHaveLength(1)
      },
      { timeout: 30_000 },
    )
    return { result }
  })
  expect(await giving.result).toEqual(refusal('role.not-found'))
})
