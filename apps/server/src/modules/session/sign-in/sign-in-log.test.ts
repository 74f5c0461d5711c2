import { endpoints } from '@isotherm/contract/endpoints/all'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import { toClientHash } from './passwords.ts'

let server: TestServer
let id: number

beforeAll(async () => {
  server = await startTestServer()
  id = await server.createAccount('li', [], ['s1'])
})
afterAll(() => server.stop())

const listNoted = (endpoint: string) =>
  server.db
    .selectFrom('operation')
    .select(['account', 'account_id as accountId', 'company_id as companyId', 'result'])
    .where('endpoint', '=', endpoint)
    .orderBy('id')
    .execute()

test('the log has sign-ins, password changes, and the accounts of failed sign-ins', async () => {
  const { id: companyId } = await server.db.selectFrom('company').select('id').executeTakeFirstOrThrow()
  const li = { account: 'li', accountId: id, companyId, result: 'ok' }
  const failed = { account: 'li', accountId: null, companyId: null, result: 'session.bad-credentials' }
  const right = { username: ' li ', password: toClientHash('li') }
  const wrong = { ...right, password: toClientHash('guess') }
  for (const name of ['login', 'tokenLogin', 'z7TLogin'] as const) {
    await server.call(endpoints[name], right)
    await server.call(endpoints[name], wrong)
    expect(await listNoted(name)).toEqual([li, failed])
  }
  await server.call(endpoints.login, { ...wrong, username: 'nobody of this name' })
  expect((await listNoted('login')).at(-1)).toEqual({ ...failed, account: '' })
  const newPasswordText = '只有自己知道的密码，很长'
  const next = { newPassword: toClientHash(newPasswordText), newPasswordText }
  await server.call(endpoints.changePassword, { ...wrong, ...next })
  await server.call(endpoints.changePassword, { ...right, ...next })
  expect(await listNoted('changePassword')).toEqual([failed, li])
})
