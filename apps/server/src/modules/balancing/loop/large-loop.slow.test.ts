import { endpoints } from '@isotherm/contract/endpoints/all'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type MeasuredStation, startMeasuredStation } from '../plan/measured-station.testkit.ts'

let server: MeasuredStation['server']
let call: MeasuredStation['call']

beforeAll(async () => {
  ;({ server, call } = await startMeasuredStation())
})
afterEach(() => sql`update device set retired_at = now() where name = 'one of many'`.execute(server.db))
afterAll(() => server.stop())

/** Adds this many copies of a device to a node. */
const addMany = async (like: string, key: string, count: number) =>
  sql`
    insert into device (company_id, serial, kind, name, model, node_id, period_s)
    select company_id, serial || ${`-${key}-`} || number, kind, 'one of many', model, ${await server.nodeId(key)}, 60
    from device, generate_series(1, ${count}::int) number where serial = ${like}`.execute(server.db)

const askBalance = async (key: string) => call('getBalance', { node: await server.nodeKey(key) })

test('a station with thousands of households, each with a valve and sensors behind those of its unit, is one loop', async () => {
  await addMany('V-b2u1', 'b2u1h', 4_000)
  await addMany('R-b2u1', 'b2u1h', 10_001)
  const { code, data } = await askBalance('s1')
  expect(code).toBeUndefined()
  expect(endpoints.getBalance.output.parse(data).valves).toHaveLength(4)
})

test('a loop that is too large is reported as such', async () => {
  await addMany('V-b2u1', 'b2', 2_001)
  const mode = { kind: 'temperature', target: 'return' }
  const planned = await call('addCampaign', { node: await server.nodeKey('b2'), mode })
  for (const answer of [await askBalance('b2'), planned])
    expect(answer).toMatchObject({ code: 'balance.too-large', text: expect.stringContaining('二号楼') })
})

test('a controller above too many devices and above other stations makes no loop: those stations do', async () => {
  await addMany('K-s1', 'a1', 1)
  await addMany('V-b2u1', 's2', 2_001)
  await sql`update device set node_id = ${await server.nodeId('c')} where serial = 'K-s1'`.execute(server.db)
  expect((await askBalance('c')).code).toBe('balance.no-station')
})
