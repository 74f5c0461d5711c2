import { endpoints } from '@isotherm/contract/endpoints/all'
import { getNetworkFigures } from '@isotherm/contract/endpoints/network/network-figures'
import { MAX_STATIONS } from '@isotherm/contract/network/network-figures'
import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportOnce } from '../../../testing/connect-gateway.testkit.ts'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import { importRegistry } from '../../devices/import/import-registry.testkit.ts'

const STATIONS = MAX_STATIONS + 5
const toName = (index: number): string => `${String(index).padStart(3, '0')}号站`

/** Another company with stations only. Their controllers are numbered against the order of the tree. */
function createStations(): RegistryFile {
  const stations = Array.from({ length: STATIONS }, (_, index) => `s${index}`)
  return {
    v: 1,
    company: { tenant: 'large', name: '大供热', timeZone: 'Asia/Shanghai' },
    nodes: [
      { key: 'p', parent: null, kind: 'project', level: 1, name: '大集团' },
      { key: 'c', parent: 'p', kind: 'group', level: 2, name: '大公司' },
      ...stations.map((key, index): RegistryFile['nodes'][number] => {
        return { key, parent: 'c', kind: 'group', level: 4, name: toName(index), stype: 's' }
      }),
    ],
    devices: stations.toReversed().map((node) => ({
      serial: `S-${node}`,
      kind: 'station',
      name: `S-${node}`,
      model: 'T1',
      node,
      concentrator: null,
      periodS: 60,
    })),
  }
}

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await importRegistry(server.db, createStations())
  await server.createAccount('all', ['pe-fmreal'], [], 'provider')
  await server.createAccount('whole', ['pe-fmreal'], ['p'])
  await server.createAccount('parts', ['pe-fmhistory'], ['b10', 'a2'])
  await report()
})
afterAll(() => server.stop())

/** Devices behind C-b2 report: one valve an impossible value, one valve only its opening. */
const report = () =>
  reportOnce(server, 'C-b2', {
    'V-b2u1': { 'temp.return': 400 },
    'V-b2u2': { 'temp.return': 38.4 },
    'R-b2u1': { 'temp.room': 17.9 },
    'R-b2u2': { 'temp.room': 18 },
  })

async function getFigures(account: string, nodes?: readonly string[]) {
  const tokens = await server.logIn(account)
  const { code, data } = await server.call(endpoints.getNetworkFigures, { nodes }, tokens['ht-api'])
  return code === undefined ? getNetworkFigures.output.parse(data) : code
}

const ofB2 = {
  valves: { total: 2, online: 2, silent: 0, unknown: 0 },
  meters: { total: 0, online: 0, silent: 0, unknown: 0 },
  rooms: { total: 2, online: 2, silent: 0, unknown: 0 },
  returnTemps: {
    count: 1,
    mean: 38.4,
    deviation: 0,
    p5: 38.4,
    median: 38.4,
    p95: 38.4,
    bins: [{ from: 38, count: 1 }],
  },
  roomTemps: expect.objectContaining({ count: 2, median: 17.95 }),
  warmShare: 0.5,
  powerKw: null,
  stations: { datalist: [], total: 0 },
}

test('overlapping nodes count once, and doubtful values are not part of any figure', async () => {
  const [s1, b2] = [await server.nodeKey('s1'), await server.nodeKey('b2')]
  expect(await getFigures('whole', [b2])).toEqual(ofB2)
  expect(await getFigures('whole', [b2, `${b2}-L1-1单元`, b2])).toEqual(ofB2)
  expect(await getFigures('whole', [s1, b2])).toMatchObject({ valves: { total: 4, online: 2, unknown: 2 } })
})

test('without nodes it covers everything that is granted, and for a node above only the granted part', async () => {
  expect(await getFigures('whole')).toMatchObject({ valves: { total: 6, online: 2 }, warmShare: 0.5 })
  const parts = { valves: { total: 4, online: 0 }, rooms: { total: 4 }, roomTemps: null, warmShare: null }
  expect(await getFigures('parts')).toMatchObject(parts)
  expect(await getFigures('parts', [await server.nodeKey('p')])).toMatchObject(parts)
  expect(await getFigures('parts', [await server.nodeKey('b2')])).toBe('node.not-found')
})

test('the first stations of the granted company are listed in tree order, with their total number', async () => {
  await expect.poll(() => getFigures('all')).toMatchObject({ stations: { total: STATIONS } })
  const figures = await getFigures('all')
  if (typeof figures === 'string') throw new Error(figures)
  expect(figures.stations.datalist).toHaveLength(MAX_STATIONS)
  expect(figures.stations.datalist.map(({ device }) => device.nestaddr.split(',').at(-1))).toEqual(
    Array.from({ length: MAX_STATIONS }, (_, index) => toName(index)),
  )
  expect(figures.stations.datalist[0]).toEqual({
    device: expect.objectContaining({ imei: 'S-s0', nestaddr: `大集团,大公司,${toName(0)}` }),
    online: false,
  })
  expect(await getFigures('whole')).toMatchObject({ stations: { datalist: [], total: 0 } })
})

test('the controller of a pump house for irrigation is no heat station', async () => {
  const { id, node_id } = await server.db
    .selectFrom('device')
    .select(['id', 'node_id'])
    .where('serial', '=', 'S-s0')
    .executeTakeFirstOrThrow()
  await sql`
    insert into irrigation_source (node_id, settings, planned_ms)
    values (${node_id}, ${JSON.stringify({ name: '泵房', stationId: id })}, 0)`.execute(server.db)
  await expect.poll(() => getFigures('all')).toMatchObject({ stations: { total: STATIONS - 1 } })
  const figures = await getFigures('all')
  if (typeof figures === 'string') throw new Error(figures)
  expect(figures.stations.datalist.map(({ device }) => device.imei)).not.toContain('S-s0')
})
