import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestPublicCall } from '../../platform/http/call.testkit.ts'
import { readRevisions } from '../../platform/signals/revisions.pg.ts'
import { createTestCore, type TestCore } from '../../testing/core.testkit.ts'
import { toClientHash } from './sign-in/passwords.ts'

let core: TestCore
let token: string
let sessionId: number
const id = { parent: 0, child: 0, s1: 0, s2: 0, a1: 0, device: 0, elsewhere: 0 }

beforeAll(async () => {
  core = await createTestCore()
  id.parent = await core.createAccount('parent', ['pewph', 'pe-fmreal'], ['s2'])
  id.child = await core.createAccount('child', ['pewph', 'pe-fmreal'], ['s1'])
  for (const key of ['s1', 's2', 'a1'] as const) id[key] = await core.nodeId(key)
  id.device = await core.deviceId('V-b3u1')
  id.elsewhere = await core.nodeId('b3u2')
  const credentials = { username: 'child', password: toClientHash('child') }
  token = (await core.session.login('usr-cloud', credentials, createTestPublicCall())).token
  sessionId = (await core.session.authenticate('usr-cloud', token)).sessionId
})
afterAll(() => core.close())

const readRevision = async () => (await readRevisions(core.db)).access

/** The cached access of a session, and the access read from the database. */
async function readBoth() {
  const { permissions, scope } = await core.session.authenticate('usr-cloud', token)
  const stored = (await core.session.findAccess([sessionId])).get(sessionId)
  return {
    cached: { permissions, scope },
    stored: { permissions: stored?.permissions, scope: stored?.scope },
  }
}

const changes: readonly (readonly [string, () => RawBuilder<unknown>])[] = [
  ['a node granted', () => sql`insert into account_node values (${id.child}, ${id.s2})`],
  [
    'a node no longer granted',
    () => sql`delete from account_node where account_id = ${id.child} and node_id = ${id.s2}`,
  ],
  [
    'another node granted instead',
    () => sql`update account_node set node_id = ${id.a1} where node_id = ${id.s1}`,
  ],
  ['a granted node moved', () => sql`update node set path = path || '9/' where id = ${id.a1}`],
  ['a device granted', () => sql`insert into account_device values (${id.child}, ${id.device})`],
  ['a granted device moved', () => sql`update device set node_id = ${id.elsewhere} where id = ${id.device}`],
  ['a module taken from a role', () => sql`delete from role_permission where permission = 'pewph'`],
  ['a module disabled', () => sql`update module set enabled = false where url = 'pe-fmreal'`],
  ['a module enabled', () => sql`update module set enabled = true where url = 'pe-fmreal'`],
  ['made a sub-account', () => sql`update account set parent_id = ${id.parent} where id = ${id.child}`],
  ['a parent that loses a node', () => sql`delete from account_node where account_id = ${id.parent}`],
  ['a parent that is given more', () => sql`insert into account_node values (${id.parent}, ${id.a1})`],
  ['a parent that is disabled', () => sql`update account set enabled = false where id = ${id.parent}`],
  ['no sub-account any more', () => sql`update account set parent_id = null where id = ${id.child}`],
  ['a role taken', () => sql`delete from account_role where account_id = ${id.child}`],
]

test('the next call sees any change of access', async () => {
  for (const [what, change] of changes) {
    const before = await readBoth()
    expect(before.cached, `before ${what}`).toEqual(before.stored)
    await change().execute(core.db)
    const after = await readBoth()
    expect(after.cached, what).toEqual(after.stored)
    expect(after.stored, `${what} changes nothing`).not.toEqual(before.stored)
  }
})

test('changes that affect nobody’s access keep the cache', async () => {
  const before = await readRevision()
  await sql`update device set name = 'other' where id = ${id.device}`.execute(core.db)
  await sql`update node set name = 'other' where id = ${id.s2}`.execute(core.db)
  await sql`update device set node_id = ${id.elsewhere} where serial = 'V-b3u1' or serial = 'R-b3u1'`.execute(
    core.db,
  )
  expect(await readRevision()).toBe(before)
})

test('a change applies after its commit, also after a rolled-back savepoint', async () => {
  const before = await readRevision()
  await core.db.transaction().execute(async (transaction) => {
    await sql`savepoint part`.execute(transaction)
    await sql`insert into account_node values (${id.child}, ${id.s2})`.execute(transaction)
    await sql`rollback to part`.execute(transaction)
    await sql`insert into account_node values (${id.child}, ${id.s1})`.execute(transaction)
    await sql`insert into account_node values (${id.parent}, ${id.s1})`.execute(transaction)
    expect(await readRevision()).toBe(before)
  })
  expect(await readRevision()).toBe(before + 1)
  const { cached, stored } = await readBoth()
  expect(cached).toEqual(stored)
  const left = await sql<{ count: number }>`select count(*) from revision_due`.execute(core.db)
  expect(left.rows).toEqual([{ count: 0 }])
})

test('simultaneous changes of access do not deadlock', async () => {
  const grant = (first: number, second: number) =>
    core.db.transaction().execute(async (transaction) => {
      await sql`insert into account_node values (${first}, ${id.s2})`.execute(transaction)
      await sql`select pg_sleep(0.05)`.execute(transaction)
      await sql`update account set sees_all = sees_all where id = ${second}`.execute(transaction)
    })
  const before = await readRevision()
  await Promise.all([grant(id.parent, id.child), grant(id.child, id.child)])
  expect(await readRevision()).toBe(before + 2)
})

test('a shortened token and an ended session apply to the next call', async () => {
  const logIn = async () => {
    const credentials = { username: 'parent', password: toClientHash('parent') }
    return (await core.session.login('usr-cloud', credentials, createTestPublicCall())).token
  }
  await sql`update account set enabled = true`.execute(core.db)
  const [shortened, ended] = [await logIn(), await logIn()]
  const of = (some: string) => core.session.authenticate('usr-cloud', some)
  const { tokenHash } = await of(shortened)
  const { sessionId: endedId } = await of(ended)
  await sql`update token set expires_at = ${new Date(core.clock.now())} where hash = ${tokenHash}`.execute(
    core.db,
  )
  await expect(of(shortened)).rejects.toMatchObject({ code: 'session.expired' })
  await sql`update session set ended_at = ${new Date(core.clock.now())} where id = ${endedId}`.execute(
    core.db,
  )
  await expect(of(ended)).rejects.toMatchObject({ code: 'session.expired' })
})
