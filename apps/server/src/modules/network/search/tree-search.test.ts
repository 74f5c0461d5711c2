import type { Permission } from '@isotherm/contract/access/permissions'
import type { TreeHit } from '@isotherm/contract/endpoints/network/tree'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scope, scopeOfEverything } from '../../../platform/scope/scope.ts'
import { createRegistry, createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { importRegistry } from '../../devices/import/import-registry.testkit.ts'
import { createNetwork, type NetworkService } from '../index.ts'

let core: TestCore
let network: NetworkService

const meter = { kind: 'heat-meter', model: 'T1', concentrator: 'C-b2', periodS: 60 } as const

/** The small registry with an area 阳光花园 whose fifth building has a household 301 in its second unit. */
function createSearched(tenant = 'demo') {
  const file = createRegistry(tenant)
  file.nodes.push(
    { key: 'a5', parent: 's1', kind: 'group', level: 5, name: '阳光花园' },
    { key: 'b5', parent: 'a5', kind: 'sub-user', level: 6, name: '五号楼' },
    { key: 'b15', parent: 'a5', kind: 'sub-user', level: 6, name: '15号楼' },
  )
  for (const building of ['b5', 'b15']) {
    for (const unit of [1, 2]) {
      const key = `${building}u${unit}`
      file.nodes.push({ key, parent: building, kind: 'address', level: 7, name: `${unit}单元` })
      file.nodes.push({ key: `${key}h`, parent: key, kind: 'address', level: 8, name: '301' })
    }
  }
  file.devices.push({ ...meter, serial: 'M-b5', name: '五号楼热量表', node: 'b5', meterNo: '20417733' })
  const devices = file.devices.map((device) =>
    device.serial === 'C-b2' ? { ...device, imei: '490154203237518' } : device,
  )
  return { ...file, devices }
}

beforeAll(async () => {
  core = await createTestCore({ registry: createSearched() })
  await importRegistry(core.db, createSearched('another'))
  // A long timeout, so that a busy machine does not cut a search.
  network = createNetwork(core.db, core.devices, 20_000)
})
afterAll(() => core.close())

const scopeOf = async (...keys: string[]): Promise<Scope> => ({
  kind: 'paths',
  paths: await Promise.all(keys.map((key) => core.pathOf(key))),
})
const search = async (
  text: string,
  scope?: Scope,
  size = 30,
  allowed: readonly Permission[] = ['pe-fmreal'],
) =>
  network.searchTree({ permissions: new Set(allowed), scope: scope ?? (await scopeOf('p')) }, { text, size })
const toLine = (hit: TreeHit): string => `${hit.match} ${hit.device?.serial ?? hit.nestaddr}`
const lines = async (text: string, scope?: Scope) => (await search(text, scope)).datalist.map(toLine)

test.each([' ', '\u3000\t'])('a blank text (%j) finds nothing', async (text) => {
  expect(await search(text)).toEqual({ datalist: [], more: false })
})

test('a hit has the path from the project down, each step as in the tree', async () => {
  const { datalist } = await search('五号楼')
  const uuid = await core.nodeKey('b5')
  expect(datalist[0]).toEqual({
    chain: [
      { node: await core.nodeKey('p'), label: '集团', level: 1, nodetype: 'project' },
      { node: await core.nodeKey('c'), label: '公司', level: 2, nodetype: 'group' },
      { node: await core.nodeKey('s1'), label: '一号站', level: 4, nodetype: 'group' },
      { node: await core.nodeKey('a5'), label: '阳光花园', level: 5, nodetype: 'group' },
      { node: uuid, label: '五号楼', level: 6, nodetype: 'user' },
    ],
    nestaddr: '集团,公司,一号站,阳光花园,五号楼',
    projectid: await core.nodeId('p'),
    match: 'name',
  })
  const [unit] = (await search('5-2')).datalist
  expect(unit?.chain.at(-1)).toEqual({
    node: `${uuid}-L1-2单元`,
    label: '2单元',
    level: 7,
    nodetype: 'addr',
  })
})

describe('a name is found', () => {
  test.each([
    ['by its part', '光花', ['name 集团,公司,一号站,阳光花园']],
    ['by pinyin initials', 'yghy', ['pinyin 集团,公司,一号站,阳光花园']],
    ['by full pinyin without tones', 'yangguang', ['pinyin 集团,公司,一号站,阳光花园']],
    ['by pinyin from its middle', 'huayuan', ['pinyin 集团,公司,一号站,阳光花园']],
    ['by pinyin with spaces', 'yang guang', ['pinyin 集团,公司,一号站,阳光花园']],
    ['with digits for numerals', '10号楼', ['name 集团,公司,一号站,东区,十号楼']],
    ['with numerals for digits', '十五号楼', ['name 集团,公司,一号站,阳光花园,15号楼']],
    ['in full width', '１５号楼', ['name 集团,公司,一号站,阳光花园,15号楼']],
  ])('%s', async (_how, text, found) => {
    expect(await lines(text)).toEqual(found)
  })

  test.each(['%', '_', '\\', "'", '(', '[', '.*', '{'])('never by a wildcard: %s', async (text) => {
    expect(await lines(text)).toEqual([])
  })
})

test('an exact name comes before a prefix match, then names that contain the text, then pinyin', async () => {
  await importRegistry(core.db, {
    ...createRegistry('ranks'),
    nodes: [
      { key: 'rp', parent: null, kind: 'project', level: 1, name: 'x阳春y' },
      { key: 'rc', parent: 'rp', kind: 'group', level: 2, name: '养蠢' },
      { key: 'rs', parent: 'rc', kind: 'group', level: 4, name: '阳春站' },
      { key: 'ra', parent: 'rs', kind: 'group', level: 5, name: '阳春' },
    ],
    devices: [],
  })
  const scope = await scopeOf('rp')
  const labels = async (text: string) =>
    (await search(text, scope)).datalist.map(({ chain }) => chain.at(-1)?.label)
  expect(await labels('阳春')).toEqual(['阳春', '阳春站', 'x阳春y'])
  expect(await labels('yangchun')).toEqual(['养蠢', '阳春站', '阳春', 'x阳春y'])
})

test('higher levels come first, then shorter names, then the order of the tree', async () => {
  expect(await lines('号')).toEqual([
    ...['一号站', '二号站'].map((station) => `name 集团,公司,${station}`),
    'name 集团,公司,一号站,东区,二号楼',
    'name 集团,公司,二号站,西区,三号楼',
    'name 集团,公司,一号站,阳光花园,五号楼',
    'name 集团,公司,一号站,东区,十号楼',
    'name 集团,公司,一号站,阳光花园,15号楼',
  ])
  expect(await lines('101')).toEqual(
    [
      '一号站,东区,二号楼,1单元',
      '一号站,东区,二号楼,2单元',
      '一号站,东区,十号楼,1单元',
      '一号站,东区,十号楼,2单元',
    ]
      .concat(['二号站,西区,三号楼,1单元', '二号站,西区,三号楼,2单元'])
      .map((unit) => `name 集团,公司,${unit},101`),
  )
})

describe('an address in parts finds household 301 of unit 2 of building 5', () => {
  test.each([
    '5-2-301',
    '阳光 5 2 301',
    '5号楼2单元301',
    '五号楼二单元三百零一',
    '阳光花园5号楼2单元301',
    '阳光5-2-301',
    '5栋2单元301室',
    '5#2-301',
    '５－２－３０１',
    'yghy 5 2 301',
    '集团 5 301 ',
  ])('%s', async (text) => {
    const found = await lines(text)
    expect(found[text.startsWith('集团') ? 1 : 0]).toBe('address 集团,公司,一号站,阳光花园,五号楼,2单元,301')
    expect(found).toHaveLength(text.startsWith('集团') ? 2 : 1)
  })
})

test.each(['2-5-301', '301-5-2', '5-3-301', '5-2-30', '5-2-301-1', '月光 5 2 301'])(
  'parts in another order, or of another place, find nothing: %s',
  async (text) => {
    expect(await lines(text)).toEqual([])
  },
)

test('an address is found among households whose names are all different', async () => {
  const nodes = [...createRegistry('named').nodes.filter(({ level }) => level < 7)]
  for (const building of ['b2', 'b10']) {
    for (const unit of [1, 2]) {
      nodes.push({
        key: `${building}n${unit}`,
        parent: building,
        kind: 'address',
        level: 7,
        name: `${unit}单元`,
      })
      for (let flat = 1; flat <= 30; flat += 1) {
        const name = `${flat % 2 === 0 ? 301 : 302} 住户${building}${unit}${String.fromCodePoint(0x4e00 + 100 * flat)}`
        const parent = `${building}n${unit}`
        nodes.push({ key: `${parent}f${flat}`, parent, kind: 'address', level: 8, name })
      }
    }
  }
  await importRegistry(core.db, { ...createRegistry('named'), nodes, devices: [] })
  const placed = core.db.selectFrom('node').select('path').where('key', '=', 'b2n2f2')
  const { path } = await placed.executeTakeFirstOrThrow()
  const scope: Scope = { kind: 'paths', paths: [`/${path.split('/')[1]}/`] }
  const { datalist, more } = await search('2号楼2单元301', scope)
  expect([datalist.length, more]).toEqual([15, false])
  expect(new Set(datalist.map(({ chain }) => chain.at(-2)?.node)).size).toBe(1)
  expect(datalist.every(({ nestaddr }) => /,二号楼,2单元,301 /.test(nestaddr))).toBe(true)
})

test('a number in an address is a whole number: 5 is not building 15', async () => {
  expect(await lines('15-2-301')).toEqual(['address 集团,公司,一号站,阳光花园,15号楼,2单元,301'])
})

describe('a device is found', () => {
  test.each([
    ['by its serial', 'V-b3u1', ['serial V-b3u1']],
    ['in any case', 'v-B3U1', ['serial V-b3u1']],
    ['by the start of its serial', 'V-b3', ['serial V-b3u1', 'serial V-b3u2']],
    ['by the end of its serial', '-b3u2', ['serial R-b3u2', 'serial V-b3u2']],
    ['by its IMEI', '490154203237518', ['imei C-b2']],
    ['by the start of its IMEI', '49015420', ['imei C-b2']],
    ['by the last digits of its IMEI', '7518', ['imei C-b2']],
    ['by its meter number', '20417733', ['meter M-b5']],
    ['by the last digits of its meter number', '7733', ['meter M-b5']],
  ])('%s', async (_how, text, found) => {
    expect((await lines(text)).toSorted()).toEqual(found)
  })

  test('with the node it is placed on', async () => {
    const [hit] = (await search('20417733')).datalist
    expect(hit?.nestaddr).toBe('集团,公司,一号站,阳光花园,五号楼')
    expect(hit?.device).toEqual({
      id: await core.deviceId('M-b5'),
      serial: 'M-b5',
      name: '五号楼热量表',
      kind: 'heat-meter',
    })
  })
})

describe('a caller who is granted one building', () => {
  test('finds its contents; the chain of a hit starts with the ancestors of the building', async () => {
    const scope = await scopeOf('b5')
    expect(await lines('5-2-301', scope)).toEqual(['address 集团,公司,一号站,阳光花园,五号楼,2单元,301'])
    expect(await lines('7733', scope)).toEqual(['meter M-b5'])
    expect(await lines('单元', scope)).toHaveLength(2)
  })

  test.each(['阳光花园', '一号站', '十号楼', '15号楼', '15-2-301', '东区', 'C-b2', '7518', 'V-b10u1'])(
    'does not find %s outside it',
    async (text) => {
      expect(await search(text, await scopeOf('b5'))).toEqual({ datalist: [], more: false })
    },
  )

  test('never finds another company', async () => {
    expect(await lines('阳光花园')).toHaveLength(1)
    expect(await lines('阳光花园', scopeOfEverything)).toHaveLength(2)
  })
})

describe('names outside the scope do not change the result', () => {
  const texts = ['5号楼2单元301', '5栋2单元301室', '5-2-301', '阳光花园5号楼2单元301'] as const
  test.each(['2单元301仓库', '5栋', '301室', '阳光花园5', '5号楼2单元'])('such as %s', async (name) => {
    const scope = await scopeOf('a5')
    const before = await Promise.all(texts.map((text) => lines(text, scope)))
    expect(before.map((found) => found.length)).toEqual([1, 1, 1, 1])
    const file = createSearched()
    await importRegistry(core.db, {
      ...file,
      nodes: [...file.nodes, { key: 'foreign', parent: 'a2', kind: 'sub-user', level: 6, name }],
    })
    expect(await Promise.all(texts.map((text) => lines(text, scope)))).toEqual(before)
  })
})

test('two parts without a separator may be one name, two with a separator may not', async () => {
  await importRegistry(core.db, {
    ...createRegistry('glued'),
    nodes: [
      { key: 'gp', parent: null, kind: 'project', level: 1, name: '集团' },
      { key: 'gc', parent: 'gp', kind: 'group', level: 2, name: '公司' },
      { key: 'gs', parent: 'gc', kind: 'group', level: 4, name: '站' },
      { key: 'ga', parent: 'gs', kind: 'group', level: 5, name: '阳光2期' },
      { key: 'gb', parent: 'ga', kind: 'sub-user', level: 6, name: '7号楼' },
      { key: 'gu', parent: 'gb', kind: 'address', level: 7, name: '1单元甲' },
    ],
    devices: [],
  })
  const scope = await scopeOf('gp')
  const labels = async (text: string) =>
    (await search(text, scope)).datalist.map(({ chain }) => chain.at(-1)?.label)
  expect(await labels('阳光2期7号楼')).toEqual(['7号楼'])
  expect(await labels('阳光2期7号楼1单元甲')).toEqual(['1单元甲'])
  expect(await labels('阳光-2期-7号楼')).toEqual([])
})

describe('the permissions to list devices', () => {
  test.each([[[]], [['prtjc', 'ps-usersys'] as const]])(
    'a caller with the permissions %j finds nodes and no device',
    async (allowed) => {
      expect(await search('V-b3u1', undefined, 30, allowed)).toEqual({ datalist: [], more: false })
      expect((await search('7518', undefined, 30, allowed)).datalist).toEqual([])
      expect((await search('阳光花园', undefined, 30, allowed)).datalist).toHaveLength(1)
    },
  )

  test.each(['pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory'] as const)(
    'a caller with only %s finds devices',
    async (one) => {
      expect((await search('V-b3u1', undefined, 30, [one])).datalist).toHaveLength(1)
    },
  )
})

test('a caller without grants finds nothing', async () => {
  expect(await search('号', { kind: 'paths', paths: [] })).toEqual({ datalist: [], more: false })
})

test('a node that two grants cover is found once', async () => {
  expect(await lines('阳光花园', await scopeOf('s1', 'b5', 'a5'))).toHaveLength(1)
})

test('the answer has at most the requested number of hits and states whether there are more', async () => {
  const all = await search('单元')
  const some = await search('单元', undefined, 3)
  expect(all.more).toBe(false)
  expect(some).toEqual({ datalist: all.datalist.slice(0, 3), more: true })
  expect((await search('单元', undefined, all.datalist.length)).more).toBe(false)
})

test('after an import renames a node, only the new name is found', async () => {
  const file = createSearched()
  const nodes = file.nodes.map((node) => (node.key === 'a5' ? { ...node, name: '月亮湾' } : node))
  await importRegistry(core.db, { ...file, nodes })
  expect(await lines('阳光花园')).toEqual([])
  expect(await lines('ylw')).toEqual(['pinyin 集团,公司,一号站,月亮湾'])
  expect(await lines('月亮湾 5 2 301')).toEqual(['address 集团,公司,一号站,月亮湾,五号楼,2单元,301'])
  await importRegistry(core.db, file)
})

test('two units that swap addresses are found by the new ones', async () => {
  const file = createSearched()
  const names = new Map([
    ['b5u1', '2单元'],
    ['b5u2', '1单元'],
  ])
  const nodes = file.nodes.map((node) => ({ ...node, name: names.get(node.key) ?? node.name }))
  await importRegistry(core.db, { ...file, nodes })
  const { path } = await core.db
    .selectFrom('node')
    .select('path')
    .where('key', '=', 'b5u1h')
    .where('path', 'like', `${await core.pathOf('p')}%`)
    .executeTakeFirstOrThrow()
  const key = (await search('5-2-301')).datalist[0]?.chain.at(-1)?.node ?? ''
  expect(await core.network.resolveNodes(scopeOfEverything, [key])).toEqual([path])
  await importRegistry(core.db, file)
})

test('a device granted individually is found with its path, but nothing else on its node', async () => {
  const path = `${await core.pathOf('b2u1')}d${await core.deviceId('V-b2u1')}/`
  const alone: Scope = { kind: 'paths', paths: [path] }
  expect(await lines('V-b2u', alone)).toEqual(['serial V-b2u1'])
  const [hit] = (await search('V-b2u1', alone)).datalist
  expect(hit?.chain.map(({ label }) => label)).toEqual(['集团', '公司', '一号站', '东区', '二号楼', '1单元'])
  expect(await lines('R-b2u1', alone)).toEqual([])
  expect(await lines('二号楼', alone)).toEqual([])
  const both: Scope = { kind: 'paths', paths: [path, await core.pathOf('s2')] }
  expect(await lines('V-b', both)).toEqual(['serial V-b2u1', 'serial V-b3u1', 'serial V-b3u2'])
})

test('a retired device is not found', async () => {
  const device = core.db.updateTable('device').where('serial', '=', 'R-b3u2')
  await device.set({ retired_at: new Date(0) }).execute()
  expect(await lines('R-b3u2')).toEqual([])
  await device.set({ retired_at: null }).execute()
  expect(await lines('R-b3u2')).not.toEqual([])
})

test('a caller who manages any kind of device finds devices', async () => {
  expect((await search('V-b3u1', undefined, 30, ['pd-caldevmanager'])).datalist.map(toLine)).toContain(
    'serial V-b3u1',
  )
})
