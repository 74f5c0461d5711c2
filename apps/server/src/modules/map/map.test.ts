import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Endpoint, toUrlPath } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { liveEvent } from '@isotherm/contract/live'
import { toGcj02 } from '@isotherm/kernel/gcj02'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import type { z } from 'zod'
import { reportOnce } from '../../testing/connect-gateway.testkit.ts'
import { placeOnMap } from '../../testing/placed-things.testkit.ts'
import { startTestServer, type TestServer, type Tokens } from '../../testing/server.testkit.ts'
import { toArchive, toTownText } from './ground/map-files.testkit.ts'

let server: TestServer
const tokens = new Map<string, Tokens>()

let mapFolder: string

beforeAll(async () => {
  mapFolder = await mkdtemp(join(tmpdir(), 'isotherm-map-'))
  await writeFile(join(mapFolder, 'town.pmtiles'), toArchive())
  await writeFile(join(mapFolder, 'plan.geojson'), '{')
  await mkdir(join(mapFolder, 'elsewhere'))
  await writeFile(join(mapFolder, 'elsewhere/town.geojson'), toTownText())
  server = await startTestServer({
    settings: {
      ISOTHERM_MAP_TILES: 'https://tiles.example.com/{z}/{x}/{y}.png?key=1',
      ISOTHERM_MAP_FOLDER: mapFolder,
    },
  })
  await server.createAccount('whole', ['pg-gisshow', 'pd-fmdevmanager'], ['p'])
  await server.createAccount('building', ['pg-gisshow'], ['b2'])
  await server.createAccount('second', ['pg-gisshow'], ['s2'])
  await server.createAccount('clerk', ['pe-fmreal'], ['p'])
  await placeOnMap(server, ['s1', 'a1', 'b10', 'b2', 's2'])
  await report()
})
afterAll(async () => {
  await server.stop()
  await rm(mapFolder, { recursive: true })
})

/** The rooms of building b2 report; those of b10 do not. */
const report = () =>
  reportOnce(server, 'C-b2', {
    'R-b2u1': { 'temp.room': 19.5 },
    'R-b2u2': { 'temp.room': 21.5 },
  })

async function request<Output extends z.ZodType>(
  account: string,
  endpoint: Endpoint<z.ZodType, Output>,
  input: unknown,
): Promise<z.infer<Output>> {
  const known = tokens.get(account) ?? (await server.logIn(account))
  tokens.set(account, known)
  const { code, data } = await server.call(endpoint, input, known['ht-api'])
  expect(code).toBeUndefined()
  return endpoint.output.parse(data)
}

const wholeWorld = { z: 0, x: 0, y: 0 }
const labels = (places: readonly { readonly label: string }[]) => places.map(({ label }) => label)

test('a tile contains stations, areas and buildings with the requested metric, and the pipes between them', async () => {
  const { places, clusters, pipes } = await request('whole', endpoints.getMapTile, {
    ...wholeWorld,
    metric: 'temp.room',
  })
  expect(labels(places)).toEqual(['一号站', '东区', '二号站', '二号楼', '十号楼'])
  expect(clusters).toEqual([])
  const b2 = await server.nodeKey('b2')
  expect(places.find(({ node }) => node === b2)).toEqual({
    node: b2,
    label: '二号楼',
    level: 6,
    longitudeDeg: 116.404,
    latitudeDeg: 39.9,
    value: { mean: 20.5, low: 19.5, high: 21.5, count: 2 },
    health: 'caution',
    devCount: 5,
    silentCount: 2,
    badCount: 0,
  })
  expect(places.find(({ label }) => label === '十号楼')?.value).toBeNull()
  expect(pipes.map(({ from, to }) => [from[0], to[0]])).toEqual([
    [116.401, 116.402],
    [116.402, 116.404],
    [116.402, 116.403],
  ])
})

test('a caller who is granted one building sees only that building, without the pipe that supplies it', async () => {
  const { places, pipes } = await request('building', endpoints.getMapTile, wholeWorld)
  expect(labels(places)).toEqual(['二号楼'])
  expect(pipes).toEqual([])
})

test('the map shows the places below a node, and nothing outside the grants', async () => {
  const [s1, a1] = [await server.nodeKey('s1'), await server.nodeKey('a1')]
  const { places, pipes } = await request('whole', endpoints.getMapTile, { ...wholeWorld, nodes: [a1] })
  expect(labels(places)).toEqual(['东区', '二号楼', '十号楼'])
  expect(pipes).toHaveLength(3)
  const token = (await server.logIn('second'))['ht-api']
  const foreign = await server.call(endpoints.getMapTile, { ...wholeWorld, nodes: [s1] }, token)
  expect(foreign.code).toBe('node.not-found')
})

test('the extent of places; for a node without places, that of the nearest place above it', async () => {
  const around = { west: 116.401, south: 39.9, east: 116.405, north: 39.9 }
  expect(await request('whole', endpoints.getMapExtent, {})).toEqual({ extent: around, count: 5 })
  const nodes = [await server.nodeKey('b3')]
  const above = { west: 116.405, south: 39.9, east: 116.405, north: 39.9 }
  expect(await request('second', endpoints.getMapExtent, { nodes })).toEqual({ extent: above, count: 0 })
  const unit = `${await server.nodeKey('b2')}-L1-1单元`
  const building = { west: 116.404, south: 39.9, east: 116.404, north: 39.9 }
  expect(await request('building', endpoints.getMapExtent, { nodes: [unit] })).toEqual({
    extent: building,
    count: 0,
  })
})

test('in GCJ-02 the places are where Chinese maps draw them', async () => {
  const { extent } = await request('building', endpoints.getMapExtent, { coordinates: 'gcj02' })
  const { longitudeDeg, latitudeDeg } = toGcj02({ longitudeDeg: 116.404, latitudeDeg: 39.9 })
  expect(extent?.west).toBeCloseTo(longitudeDeg, 6)
  expect(extent?.north).toBeCloseTo(latitudeDeg, 6)
})

test('places in a box are listed page by page, the coldest first and those without a value last', async () => {
  const query = { metric: 'temp.room', order: 'lowest', limiter: { page: 1, size: 3 } }
  const { datalist, total } = await request('whole', endpoints.getMapPlaces, query)
  expect([labels(datalist), total]).toEqual([['一号站', '东区', '二号楼'], 5])
  expect(datalist[2]).toMatchObject({ nestaddr: '集团,公司,一号站,东区,二号楼', value: { mean: 20.5 } })
  const within = { west: 116.4025, south: 39, east: 116.404, north: 40 }
  const inside = await request('whole', endpoints.getMapPlaces, { ...query, within })
  expect([labels(inside.datalist), inside.total]).toEqual([['二号楼', '十号楼'], 2])
})

test('a place has all values measured there, and is moved by its version', async () => {
  const node = await server.nodeKey('b2')
  const before = await request('whole', endpoints.getMapPlace, { node })
  expect(before).toMatchObject({
    label: '二号楼',
    nodetype: 'user',
    level: 6,
    abilities: ['edit', 'remove'],
    health: 'caution',
    place: { longitudeDeg: 116.404, latitudeDeg: 39.9, outline: null },
    values: [{ metric: 'temp.room', mean: 20.5 }],
  })
  expect(labels(before.chain)).toEqual(['集团', '公司', '一号站', '东区', '二号楼'])
  expect(before.chain.at(-1)).toEqual({ node, label: '二号楼', level: 6, nodetype: 'user' })
  const place = { longitudeDeg: 116.5, latitudeDeg: 39.95 }
  const move = { items: [{ node, version: before.version, place }] }
  await request('whole', endpoints.updateZoneGis, move)
  // The old position is shown to no caller, neither by this call nor by a later one.
  expect((await request('building', endpoints.getMapTile, wholeWorld)).places).toMatchObject([place])
  const again = await server.call(endpoints.updateZoneGis, move, tokens.get('whole')?.['ht-api'])
  expect(again.code).toBe('entity.stale')
  await request('whole', endpoints.updateZoneGis, {
    items: [
      { node, version: (before.version ?? 0) + 1, place: { longitudeDeg: 116.404, latitudeDeg: 39.9 } },
    ],
  })
})

test('a caller who may only see the map cannot place nodes on it', async () => {
  const node = await server.nodeKey('b2')
  const { abilities, version } = await request('building', endpoints.getMapPlace, { node })
  expect(abilities).toEqual([])
  const items = [{ node, version, place: null }]
  const { code } = await server.call(endpoints.updateZoneGis, { items }, tokens.get('building')?.['ht-api'])
  expect(code).toBe('access.denied')
})

/** Types of the live messages that an account receives. */
async function watch(account: string): Promise<{ readonly types: string[]; close(): void }> {
  const { 'ht-api': token } = await server.logIn(account)
  const socket = new WebSocket(`${server.base.replace('http', 'ws')}/live`)
  const types: string[] = []
  socket.on('message', (data) => types.push(liveEvent.parse(JSON.parse(data.toString())).type))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'hello', token }))
  await vi.waitFor(() => expect(types).toContain('welcome'), { timeout: 30_000 })
  return { types, close: () => socket.close() }
}

test('changed places are sent live to accounts that may see the map, and to no others', async () => {
  const [seeing, others] = [await watch('second'), await watch('clerk')]
  const node = await server.nodeKey('a2')
  const items = [{ node, place: { longitudeDeg: 116.6, latitudeDeg: 39.9 } }]
  await request('whole', endpoints.updateZoneGis, { items })
  await vi.waitFor(() => expect(seeing.types).toContain('places'), { timeout: 30_000 })
  await placeOnMap(server, ['b3'])
  await vi.waitFor(() => expect(seeing.types.filter((type) => type === 'places')).toHaveLength(2), {
    timeout: 30_000,
  })
  expect(others.types).toEqual(['welcome'])
  await server.db.deleteFrom('node_gis').where('longitude_deg', '=', 116.6).execute()
  await server.db
    .deleteFrom('node_gis')
    .where('node_id', '=', await server.nodeId('b3'))
    .execute()
  seeing.close()
  others.close()
})

test('a node that was never placed has no place, and one above the grant shows its name and granted devices', async () => {
  expect(await request('second', endpoints.getMapPlace, { node: await server.nodeKey('b3') })).toMatchObject({
    label: '三号楼',
    place: null,
    devCount: 5,
  })
  const above = await request('building', endpoints.getMapPlace, { node: await server.nodeKey('s1') })
  expect(above).toMatchObject({ label: '一号站', place: null, abilities: [], devCount: 5, values: [] })
  expect(above).not.toHaveProperty('version')
})

test('the console gets the address of the background tiles, and the security policy allows only these images from there', async () => {
  const { tiles } = await request('whole', endpoints.getMapBase, {})
  expect(tiles).toEqual({
    url: 'https://tiles.example.com/{z}/{x}/{y}.png?key=1',
    coordinates: 'wgs84',
    attribution: '',
    maxZoom: 18,
  })
  const { headers } = await fetch(`${server.base}/health`)
  expect(headers.get('content-security-policy')?.split(';')).toEqual(
    expect.arrayContaining(["img-src 'self' data: https://tiles.example.com", "connect-src 'self'"]),
  )
})

test("the company's own map files are listed with those that cannot be used, without those of another company", async () => {
  const { ground } = await request('building', endpoints.getMapBase, {})
  expect(ground.files).toMatchObject([{ file: 'town.pmtiles', format: 'pmtiles' }])
  expect(ground.refused).toEqual([{ file: 'plan.geojson', fault: 'no-json' }])
})

async function getFile(
  account: string,
  file: string,
  headers: Readonly<Record<string, string>> = {},
  version?: string,
) {
  const { 'ht-api': token } = await server.logIn(account)
  const query = new URLSearchParams({ file, ...(version !== undefined && { version }) })
  const url = `${server.base}${toUrlPath(endpoints.getMapGroundFile)}?${query}`
  return fetch(url, { headers: { Authorization: `Bearer ${token}`, ...headers } })
}

test('a map file is sent whole or in the requested part', async () => {
  const archive = toArchive()
  const whole = await getFile('building', 'town.pmtiles')
  expect(whole.status).toBe(200)
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(archive)
  const part = await getFile('building', 'town.pmtiles', { Range: 'bytes=7-126' })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 7-126/${archive.length}`])
  expect(part.headers.get('etag')).toBe(whole.headers.get('etag'))
  expect(Buffer.from(await part.arrayBuffer())).toEqual(archive.subarray(7, 127))
  const beyond = await getFile('building', 'town.pmtiles', { Range: `bytes=${archive.length}-` })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${archive.length}`])
})

test('a browser stores a map file, asks for its version before it uses it again, and gets it once', async () => {
  const whole = await getFile('building', 'town.pmtiles')
  expect(whole.headers.get('cache-control')).toBe('private, no-cache')
  await whole.arrayBuffer()
  const version = { 'If-None-Match': whole.headers.get('etag') ?? '' }
  for (const range of [{}, { Range: 'bytes=7-126' }]) {
    const again = await getFile('building', 'town.pmtiles', { ...version, ...range })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(again.headers.get('etag')).toBe(whole.headers.get('etag'))
  }
  const foreign = await getFile('clerk', 'town.pmtiles', version)
  expect([foreign.status, foreign.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(await foreign.json()).toMatchObject({ code: 'access.denied' })
})

test('a browser uses a part again without a call if it requested the current version, in the same session only', async () => {
  const { ground } = await request('building', endpoints.getMapBase, {})
  const current = ground.files[0]?.version ?? ''
  const cachingOf = async (version: string) => {
    const { status, headers } = await getFile('building', 'town.pmtiles', { Range: 'bytes=7-126' }, version)
    return [status, headers.get('cache-control'), headers.get('vary')?.includes('Authorization') ?? false]
  }
  expect(await cachingOf(current)).toEqual([206, 'private, max-age=2592000, immutable', true])
  expect(await cachingOf('of-yesterday')).toEqual([206, 'private, no-cache', false])
})

test('a map file of another company, a refused one, and one without the permission of the map are not sent', async () => {
  for (const file of ['elsewhere/town.geojson', 'plan.geojson', '../town.pmtiles'])
    expect(await (await getFile('building', file)).json()).toMatchObject({ code: 'map-file.not-found' })
  expect(await (await getFile('clerk', 'town.pmtiles')).json()).toMatchObject({ code: 'access.denied' })
})
