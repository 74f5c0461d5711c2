import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GroundFault, groundFaults, MAX_GEOJSON_BYTES } from '@isotherm/contract/network/map-ground'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkMapFiles } from './check-map-files.ts'
import { examineGeojson } from './examine-geojson.ts'
import { createGroundFolder, HOLD_MS } from './ground-folder.ts'
import { toArchive, toTownText } from './map-files.testkit.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-ground-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function fill(name: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const path = join(folder, name)
  for (const [file, content] of Object.entries(files)) {
    await mkdir(join(path, file, '..'), { recursive: true })
    await writeFile(join(path, file), content)
  }
  return path
}

async function read(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Result of work, and the processor time that this thread spent until it was there, ms. Other programs do not change it. */
async function measureThread<T>(work: () => T): Promise<{ result: Awaited<T>; cpuMs: number }> {
  const before = process.threadCpuUsage()
  const result = await work()
  const { user, system } = process.threadCpuUsage(before)
  return { result, cpuMs: (user + system) / 1000 }
}

test('usable files are listed with the attribution as plain text; notes and hidden files are no map files', async () => {
  const path = await fill('good', {
    'streets.geojson': toTownText({ attribution: 'Survey office' }),
    'town.PMTILES': toArchive(),
    'README.md': 'how we made them',
    '.new': '',
  })
  expect(await createGroundFolder(path).list('all')).toEqual({
    files: [
      {
        file: 'streets.geojson',
        format: 'geojson',
        version: expect.any(String),
        attribution: 'Survey office',
        maxZoom: 0,
      },
      {
        file: 'town.PMTILES',
        format: 'pmtiles',
        version: expect.any(String),
        attribution: '© OpenStreetMap',
        maxZoom: 0,
      },
    ],
    refused: [],
  })
})

test('a file in the folder of a company is found for this company only', async () => {
  const path = await fill('companies', {
    'all.geojson': toTownText(),
    'north/town.geojson': toTownText(),
    'south/town.geojson': toTownText(),
  })
  const ground = createGroundFolder(path)
  const names = async (of: 'all' | string[]) => (await ground.list(of)).files.map(({ file }) => file)
  expect(await names(['south'])).toEqual(['all.geojson', 'south/town.geojson'])
  expect(await names('all')).toEqual(['all.geojson', 'north/town.geojson', 'south/town.geojson'])
  await expect(ground.open(['south'], 'north/town.geojson')).rejects.toMatchObject({
    code: 'map-file.not-found',
  })
  const { bytes } = await ground.open(['south'], 'south/town.geojson')
  expect((await read(bytes)).toString()).toBe(toTownText())
})

test('a linked folder is that of its company, and tenants may look like hidden files or notes', async () => {
  const path = await fill('tenants', {
    '.north/town.geojson': toTownText(),
    'a.md/town.geojson': toTownText(),
    '.git/HEAD': 'ref',
  })
  await symlink(await fill('elsewhere', { 'town.geojson': toTownText() }), join(path, 'south'))
  const ground = createGroundFolder(path)
  const names = ['.north/town.geojson', 'a.md/town.geojson', 'south/town.geojson']
  const { files, refused } = await ground.list('all')
  expect(files.map(({ file }) => file)).toEqual(names)
  expect(refused).toEqual([])
  expect(await ground.list(['west'])).toEqual({ files: [], refused: [] })
})

test('no path leads out of the folder', async () => {
  const path = await fill('inside', { 'town.geojson': toTownText() })
  await fill('outside', { 'secret.geojson': toTownText() })
  for (const file of ['../outside/secret.geojson', 'x/../town.geojson', '/etc/passwd', '', '.'])
    await expect(createGroundFolder(path).open('all', file), file).rejects.toMatchObject({
      code: 'map-file.not-found',
    })
})

const line = (coordinates: unknown) => ({
  features: [{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } }],
})
const webMercator = line([
  [12_957_000, 4_853_000],
  [12_958_000, 4_853_000],
])
const crs = (name: string) => ({ crs: { type: 'name', properties: { name } } })

const refusals: readonly (readonly [string, string | Uint8Array, GroundFault])[] = [
  ['map.shp', 'x', 'unknown-format'],
  ['empty.geojson', '', 'empty'],
  ['none.geojson', toTownText({ features: [] }), 'empty'],
  ['half.geojson', toTownText().slice(0, 80), 'no-json'],
  ['list.geojson', '[]', 'no-geojson'],
  ['one.geojson', JSON.stringify({ type: 'Feature' }), 'no-geojson'],
  ['odd.geojson', toTownText({ features: [{ type: 'Feature', geometry: { type: 'Arc' } }] }), 'no-geojson'],
  ['metres.geojson', toTownText(webMercator), 'other-coordinates'],
  ['text.geojson', toTownText(line([['a', 'b']])), 'other-coordinates'],
  ['crs.geojson', toTownText(crs('urn:ogc:def:crs:EPSG::3857')), 'other-coordinates'],
  ['zip.pmtiles', 'PK', 'no-pmtiles'],
  ['deep.pmtiles', toArchive({ maxZoom: 27 }), 'no-pmtiles'],
  ['old.pmtiles', toArchive({ version: 2 }), 'other-version'],
  ['images.pmtiles', toArchive({ tileType: 2 }), 'no-vectors'],
  ['brotli.pmtiles', toArchive({ tileCompression: 3 }), 'packed-otherwise'],
  ['cut.pmtiles', toArchive().subarray(0, -5), 'cut-off'],
  ['broken.pmtiles', Buffer.concat([toArchive().subarray(0, 130), Buffer.alloc(400)]), 'no-pmtiles'],
]

test('a file that cannot be used is refused with its reason, and the doctor names the remedy', async () => {
  const path = await fill('bad', Object.fromEntries(refusals.map(([file, content]) => [file, content])))
  await writeFile(join(path, 'large.geojson'), '')
  await truncate(join(path, 'large.geojson'), MAX_GEOJSON_BYTES + 1)
  await mkdir(join(path, 'gone'), { recursive: true })
  const { files, refused } = await createGroundFolder(path).list('all')
  expect(files).toEqual([])
  expect(Object.fromEntries(refused.map(({ file, fault }) => [file, fault]))).toEqual({
    ...Object.fromEntries(refusals.map(([file, , fault]) => [file, fault])),
    'large.geojson': 'too-large',
  })
  const findings = await checkMapFiles(path)
  expect(findings).toHaveLength(refused.length)
  expect(findings.every(({ state, repair }) => state === 'warning' && repair)).toBe(true)
  const tested = new Set(refused.map(({ fault }) => fault))
  expect(groundFaults.filter((fault) => !tested.has(fault))).toEqual(['unreadable'])
})

test('CGCS2000 is taken as WGS-84', async () => {
  const path = await fill('cgcs', { 'town.geojson': toTownText(crs('urn:ogc:def:crs:EPSG::4490')) })
  expect((await createGroundFolder(path).list('all')).refused).toEqual([])
})

test('a file that was replaced is examined again', async () => {
  const path = await fill('changed', { 'town.geojson': '{' })
  const ground = createGroundFolder(path)
  expect((await ground.list('all')).refused).toHaveLength(1)
  await fill('changed', { 'town.geojson': toTownText() })
  const { files } = await ground.list('all')
  expect(files).toHaveLength(1)
  await fill('changed', { 'town.geojson': toTownText({ attribution: 'new' }) })
  const again = await ground.list('all')
  expect(again.files[0]?.attribution).toBe('new')
  expect(again.files[0]?.version).not.toBe(files[0]?.version)
})

test('the folder is listed once for the parts of a map, and each part has the version of its moment', async () => {
  const path = await fill('held', { 'town.geojson': toTownText() })
  let nowMs = 0
  const ground = createGroundFolder(path, { clock: { elapsed: () => nowMs } })
  const first = await ground.open('all', 'town.geojson')
  await fill('held', { 'new.geojson': toTownText(), 'town.geojson': toTownText({ attribution: 'new' }) })
  await expect(ground.open('all', 'new.geojson')).rejects.toMatchObject({ code: 'map-file.not-found' })
  const second = await ground.open('all', 'town.geojson')
  expect(second.parts?.etag).not.toBe(first.parts?.etag)
  nowMs = HOLD_MS
  await ground.open('all', 'new.geojson')
})

test('while large GeoJSON files are examined, the thread of the server has no work of it', async () => {
  const [feature] = JSON.parse(toTownText()).features
  const text = toTownText({ features: Array.from({ length: 60_000 }, () => feature) })
  const here = await measureThread(() => examineGeojson(text))
  const path = await fill('large', { 'town.geojson': text, 'half.geojson': text.slice(0, -1) })
  const onWorkers = await measureThread(() => createGroundFolder(path).list('all'))
  expect(onWorkers.result).toMatchObject({
    files: [{ file: 'town.geojson' }],
    refused: [{ file: 'half.geojson', fault: 'no-json' }],
  })
  expect(onWorkers.cpuMs).toBeLessThan(here.cpuMs / 2)
})

test('without a folder there are no map files, and the doctor reports nothing', async () => {
  expect(await createGroundFolder(undefined).list('all')).toEqual({ files: [], refused: [] })
  expect(await createGroundFolder(join(folder, 'absent')).list('all')).toEqual({ files: [], refused: [] })
  expect(await checkMapFiles(join(folder, 'absent'))).toEqual([])
})
