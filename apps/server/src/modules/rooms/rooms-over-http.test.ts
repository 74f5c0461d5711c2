import { getRooms } from '@isotherm/contract/endpoints/monitoring/rooms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportOnce } from '../../testing/connect-gateway.testkit.ts'
import { startTestServer, type TestServer, type Tokens } from '../../testing/server.testkit.ts'

let server: TestServer
let desk: Tokens

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('desk', ['pr-rtreal'], ['s1'])
  desk = await server.logIn('desk')
  await reportOnce(server, 'C-b2', {
    'V-b2u1': { 'valve.opening': 5, 'temp.return': 25 },
    'R-b2u1': { 'temp.room': 16.2 },
    'R-b2u2': { 'temp.room': 20.4 },
  })
  await reportOnce(server, 'C-b3', { 'R-b3u1': { 'temp.room': 10 } })
})
afterAll(() => server.stop())

const list = async (input: object = {}) =>
  (await server.call(getRooms, input, desk['ht-api'])).data as { datalist: { device: { imei: string } }[] }
const serials = async (input: object) => (await list(input)).datalist.map(({ device }) => device.imei)

test('the coldest room comes first with the valve that is closed; silent rooms come last', async () => {
  await expect
    .poll(() => list())
    .toMatchObject({
      total: 4,
      counts: { rooms: 4, cold: 1, hot: 0, silent: 2, doubtful: 0, bands: [0, 0, 1, 0, 1, 0, 0] },
      datalist: [
        {
          device: { imei: 'R-b2u1' },
          state: 'cold',
          newest: { roomC: 16.2 },
          reasons: [{ kind: 'valve-closed', openingPct: 5 }],
        },
        { device: { imei: 'R-b2u2' }, state: 'ok', reasons: [] },
        { state: 'silent', presence: 'never', reasons: [{ kind: 'sensor-silent' }] },
        { state: 'silent' },
      ],
    })
})

test('rooms are found by state, band, and words of their address, and listed by place', async () => {
  expect(await serials({ state: 'cold' })).toEqual(['R-b2u1'])
  expect(await serials({ band: 4 })).toEqual(['R-b2u2'])
  expect(await serials({ text: '二号楼 1单元' })).toEqual(['R-b2u1'])
  expect(await serials({ text: '100%' })).toEqual([])
  expect(await serials({ sort: 'place', limiter: { page: 2, size: 3 } })).toHaveLength(1)
  expect(await serials({ sort: 'place', text: 'R-b2' })).toEqual(['R-b2u1', 'R-b2u2'])
})

test('rooms outside the grant are neither listed nor counted', async () => {
  expect(await serials({ sort: 'temperature' })).not.toContain('R-b3u1')
  const foreign = await server.call(getRooms, { nodes: [await server.nodeKey('s2')] }, desk['ht-api'])
  expect(foreign.code).toBe('node.not-found')
})
