import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { permissions } from '@isotherm/contract/permissions'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../server.testkit.ts'
import { measureStation } from './measured-station.testkit.ts'

let server: TestServer
let token = ''

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('planner', permissions, ['p'])
  token = (await server.logIn('planner'))['ht-api']
  await measureStation(server)
  await sql`update device set retired_at = now() where kind = 'valve'`.execute(server.db)
})
afterAll(() => server.stop())

const give = (name: EndpointName, input: unknown) => server.call(endpoints[name], input, token)

test('a station whose valves are not there yet shows what its controller measures, and is not balanced', async () => {
  const node = await server.nodeKey('s1')
  const { code, data } = await give('getBalance', { node })
  expect(code).toBeUndefined()
  expect(endpoints.getBalance.output.parse(data)).toMatchObject({ valves: [], indices: { dropK: 7.5 } })
  const asked = { node, mode: { kind: 'temperature', target: 'return' } }
  expect((await give('addCampaign', asked)).code).toBe('balance.not-measured')
})
