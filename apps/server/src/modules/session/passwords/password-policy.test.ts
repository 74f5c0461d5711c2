import { defaultPasswordRules, type PasswordRules } from '@isotherm/contract/access/password-rules'
import { permissions } from '@isotherm/contract/access/permissions'
import { DAY_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestCall, createTestPublicCall } from '../../../platform/http/call.testkit.ts'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { hashPassword, toClientHash } from '../sign-in/passwords.ts'
import { setPassword } from './password-history.pg.ts'
import { requirePassword } from './require-password.ts'

let core: TestCore
let companyId: number
let id: number
beforeAll(async () => {
  core = await createTestCore()
  companyId = (await core.db.selectFrom('company').select('id').executeTakeFirstOrThrow()).id
  id = await core.createAccount('li', permissions, ['p'])
})
afterAll(() => core.close())
beforeEach(async () => {
  await sql`delete from password_policy where company_id is not null`.execute(core.db)
})

async function setRules(ofCompany: number | null, rules: Partial<PasswordRules>): Promise<void> {
  const { minLength, minKinds, history, maxAgeDays, mustChangeGiven, givenDays } = {
    ...defaultPasswordRules,
    ...rules,
  }
  await sql`
    insert into password_policy (company_id, min_length, min_kinds, history, max_age_days, must_change_given, given_days)
    values (${ofCompany}, ${minLength}, ${minKinds}, ${history}, ${maxAgeDays}, ${mustChangeGiven}, ${givenDays})
    on conflict (company_id) do update set min_length = excluded.min_length, min_kinds = excluded.min_kinds,
      history = excluded.history, max_age_days = excluded.max_age_days, must_change_given = excluded.must_change_given,
      given_days = excluded.given_days`.execute(core.db)
}

const judge = (text: string, given: { readonly id?: number; readonly companyId?: number | null } = {}) =>
  requirePassword(core.db, { account: 'li', companyId, ...given }, { hash: toClientHash(text), text })

const change = async (text: string, isGiven = false): Promise<void> => {
  const hash = await hashPassword(toClientHash(text))
  await core.db
    .transaction()
    .execute((transaction) => setPassword(transaction, id, { hash, isGiven, now: core.clock.now() }))
}

const logIn = (password: string) =>
  core.session.login(
    'usr-cloud',
    { username: 'li', password: toClientHash(password) },
    createTestPublicCall(),
  )

test('a company tightens the rules for its own accounts only', async () => {
  await setRules(companyId, { minLength: 16, minKinds: 3 })
  await expect(judge('十二个字符的夜班密码啊啊')).rejects.toMatchObject({
    code: 'password.too-short',
    params: { minLength: 16 },
  })
  await expect(judge('只有一类字符但是足够长的夜班密码')).rejects.toMatchObject({
    code: 'password.few-kinds',
    params: { minKinds: 3 },
  })
  await judge('Three kinds of characters')
  await judge('十二个字符的夜班密码啊啊', { companyId: null })
})

test('a short account name is refused as a password only when nothing else is left', async () => {
  await expect(judge('LILILILILILILI2026')).rejects.toMatchObject({ code: 'password.has-account' })
  await judge('delivery of heat at night')
})

test('earlier passwords of the account are refused, as many as the rules name', async () => {
  await setRules(companyId, { history: 3 })
  const texts = ['第一个足够长的密码', '第二个足够长的密码', '第三个足够长的密码'].map((text) => `${text}！`)
  for (const text of texts) await change(text)
  for (const text of texts) {
    await expect(judge(text, { id })).rejects.toMatchObject({
      code: 'password.used-before',
      params: { history: 3 },
    })
  }
  await change('第四个足够长的密码！')
  await judge(texts[0] ?? '', { id })
})

test('an expired password opens no session; after a change it does', async () => {
  await setRules(companyId, { maxAgeDays: 90, minKinds: 2 })
  await change('快要到期的密码 2026')
  const { token } = await logIn('快要到期的密码 2026')
  const caller = await core.session.authenticate('usr-cloud', token)
  core.clock.advance(90 * DAY_MS)
  await logIn('快要到期的密码 2026')
  core.clock.advance(1)
  await expect(logIn('快要到期的密码 2026')).rejects.toMatchObject({
    code: 'session.password-expired',
    params: { minLength: 10, minKinds: 2, history: 1 },
  })
  await expect(logIn('wrong')).rejects.toMatchObject({ code: 'session.bad-credentials' })
  await expect(core.session.exchange('usr-cloud', createTestCall(caller))).rejects.toMatchObject({
    code: 'session.expired',
  })
  await change('换过的夜班密码 2026')
  await logIn('换过的夜班密码 2026')
})

test('a password that an administrator gave must be changed first, if the rules say so', async () => {
  await change('管理员给的夜班密码', true)
  await logIn('管理员给的夜班密码')
  await setRules(companyId, { mustChangeGiven: true })
  await expect(logIn('管理员给的夜班密码')).rejects.toMatchObject({ code: 'session.password-expired' })
  await change('自己换过的夜班密码')
  await logIn('自己换过的夜班密码')
})

test('a password that an administrator gave ends if its user has not changed it, and cannot be changed then', async () => {
  await setRules(companyId, { mustChangeGiven: true, givenDays: 7 })
  await change('管理员给的另一个夜班密码', true)
  core.clock.advance(7 * DAY_MS)
  await expect(logIn('管理员给的另一个夜班密码')).rejects.toMatchObject({ code: 'session.password-expired' })
  core.clock.advance(1)
  await expect(logIn('管理员给的另一个夜班密码')).rejects.toMatchObject({ code: 'session.given-ended' })
  const given = { username: 'li', password: toClientHash('管理员给的另一个夜班密码') }
  const changing = core.session.verify(given, createTestPublicCall(), async () => {})
  await expect(changing).rejects.toMatchObject({ code: 'session.given-ended' })
  // Only who knows it learns that it has ended.
  await expect(logIn('wrong')).rejects.toMatchObject({ code: 'session.bad-credentials' })
  await change('自己换过的另一个夜班密码')
  core.clock.advance(30 * DAY_MS)
  await logIn('自己换过的另一个夜班密码')
})

test('a session that was opened with a given password is not prolonged after the end of the password', async () => {
  await setRules(companyId, { givenDays: 7 })
  await change('管理员给的第三个夜班密码', true)
  const { token } = await logIn('管理员给的第三个夜班密码')
  const caller = await core.session.authenticate('usr-cloud', token)
  core.clock.advance(7 * DAY_MS)
  await core.session.exchange('usr-cloud', createTestCall(caller))
  core.clock.advance(1)
  await expect(core.session.exchange('usr-cloud', createTestCall(caller))).rejects.toMatchObject({
    code: 'session.expired',
  })
})

test('a demo account, whose password is public, never expires', async () => {
  await setRules(null, { maxAgeDays: 1 })
  core.clock.advance(1_000 * DAY_MS)
  const viewer = { username: 'viewer', password: toClientHash('isotherm-demo') }
  await core.session.login('usr-cloud', viewer, createTestPublicCall())
  await setRules(null, {})
})
