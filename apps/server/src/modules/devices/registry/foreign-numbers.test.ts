import { permissions } from '@isotherm/contract/access/permissions'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer, type Tokens } from '../../../testing/server.testkit.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await sql`
    with other as (
      insert into company (tenant, name, time_zone) values ('other', '别家', 'Asia/Shanghai') returning id),
    project as (
      insert into node (id, company_id, key, parent_id, kind, level, name, path, nestaddr, sort_path)
      select 900001, id, 'op', null, 'project', 1, '别家集团', '/900001/', '别家集团', '1000/' from other
      returning id, company_id)
    insert into device (company_id, serial, kind, name, model, node_id, period_s, imei)
    select company_id, 'V-foreign', 'valve', '别家的', 'T1', id, 60, '490154203237518' from project`.execute(
    server.db,
  )
  await server.createAccount('whole', permissions, [], 'provider')
  await server.createAccount('part', permissions, ['s2'], 'provider')
  await sql`update account set sees_all = false where account = 'part'`.execute(server.db)
})
afterAll(() => server.stop())

const request = async (tokens: Tokens, imei: string, node?: string) =>
  (await server.call(endpoints.isExistImei, { imei, ...(node ? { node } : {}) }, tokens['ht-api'])).data

test('provider staff with a part of one company learns nothing of the numbers of another', async () => {
  const part = await server.logIn('part')
  const free = { exists: false, datalist: [] }
  expect(await request(part, 'V-foreign')).toEqual(free)
  expect(await request(part, '490154203237518')).toEqual(free)
  // A number that is taken in the own company cannot be used: the answer states that it is taken, not by which device.
  expect(await request(part, 'V-b2u1')).toEqual({ exists: true, datalist: [] })
  expect(await request(part, 'V-foreign', await server.nodeKey('s2'))).toEqual(free)
  const whole = await server.logIn('whole')
  expect(await request(whole, 'V-foreign')).toMatchObject({ exists: true, datalist: [{ imei: 'V-foreign' }] })
})

test('a number of another company can be used, one of the same company cannot', async () => {
  const part = await server.logIn('part')
  const { rows } = await sql<{ id: number }>`
    insert into device_model (kind, name) values ('valve', 'T9') returning id`.execute(server.db)
  const added = {
    kind: 'valve',
    name: '新阀',
    modelId: rows[0]?.id,
    node: await server.nodeKey('b3u1'),
    periodS: 60,
    description: '',
  }
  const add = (imei: string) => server.call(endpoints.insertDev, { ...added, imei }, part['ht-api'])
  expect((await add('V-foreign')).data).toMatchObject({ imei: 'V-foreign', name: '新阀' })
  const taken = await add('V-b2u1')
  expect(taken.code).toBe('entity.taken')
  expect(taken.text).not.toMatch(/b2|一号站/)
})
