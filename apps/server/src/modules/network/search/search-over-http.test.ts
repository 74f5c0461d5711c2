import { endpoints } from '@isotherm/contract/endpoints/all'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('clerk', ['prtjc'], ['p'])
  await server.createAccount('watcher', ['pe-fmreal'], ['p'])
})
afterAll(() => server.stop())

async function find(account: string, text: string) {
  const { 'ht-api': token } = await server.logIn(account)
  const { data } = await server.call(endpoints.searchTree, { text }, token)
  return endpoints.searchTree.output.parse(data).datalist
}

test('an account finds a device by its serial only if it may list devices', async () => {
  expect(await find('clerk', 'V-b2u1')).toEqual([])
  expect((await find('watcher', 'V-b2u1')).map(({ device }) => device?.serial)).toEqual(['V-b2u1'])
})

test('a search above the limit is refused with the time to wait before a retry', async () => {
  const { 'ht-api': token } = await server.logIn('watcher')
  // The lock blocks all device searches, so each takes until its timeout.
  const answers = await server.db.transaction().execute(async (transaction) => {
    await sql`lock table device in access exclusive mode`.execute(transaction)
    return Promise.all(
      Array.from({ length: 60 }, () => server.call(endpoints.searchTree, { text: 'V-b2u1' }, token)),
    )
  })
  const refused = answers.filter(({ code }) => code !== undefined)
  expect(new Set(refused.map(({ code, http }) => `${code} ${http}`))).toEqual(
    new Set(['request.too-many 429']),
  )
  expect(answers.filter(({ code }) => code === undefined).length).toBeGreaterThanOrEqual(6)
})
