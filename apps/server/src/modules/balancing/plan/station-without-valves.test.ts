import { endpoints } from '@isotherm/contract/endpoints/all'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MeasuredStation, startMeasuredStation } from './measured-station.testkit.ts'

let server: MeasuredStation['server']
let call: MeasuredStation['call']

beforeAll(async () => {
  ;({ server, call } = await startMeasuredStation())
  await sql`update device set retired_at = now() where kind = 'valve'`.execute(server.db)
})
afterAll(() => server.stop())

test('a station without valves shows the readings of its controller, and is not balanced', async () => {
  const node = await server.nodeKey('s1')
  const { code, data } = await call('getBalance', { node })
  expect(code).toBeUndefined()
  expect(endpoints.getBalance.output.parse(data)).toMatchObject({ valves: [], indices: { dropK: 7.5 } })
  const draft = { node, mode: { kind: 'temperature', target: 'return' } }
  expect((await call('addCampaign', draft)).code).toBe('balance.no-valves')
})
