import { endpoints } from '@isotherm/contract/endpoints/all'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../server.testkit.ts'

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

test('an account that may not list devices cannot find one by its serial, and one that may can', async () => {
  expect(await find('clerk', 'V-b2u1')).toEqual([])
  expect((await find('watcher', 'V-b2u1')).map(({ device }) => device?.serial)).toEqual(['V-b2u1'])
})

test('a search that is one too many at a time is refused with the time after which to come again', async () => {
  const { 'ht-api': token } = await server.logIn('watcher')
  // Nobody finds a device meanwhile: a search takes as long as one may.
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
