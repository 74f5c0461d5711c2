import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scope } from '../../../platform/scope/scope.ts'
import { createRegistry, createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { createNetwork, type NetworkService } from '../index.ts'
import { findAny, MAX_NAMES } from './search-names.pg.ts'

let core: TestCore
let network: NetworkService

const BUILDINGS = 80
const HOUSEHOLDS = 45

/** Households with distinct names. Those of the first station are shorter, so they rank first. */
function createNamed(): RegistryFile {
  const nodes: RegistryFile['nodes'] = [
    { key: 'p', parent: null, kind: 'project', level: 1, name: '集团' },
    { key: 'c', parent: 'p', kind: 'group', level: 2, name: '公司' },
  ]
  for (const station of [1, 2]) {
    nodes.push({ key: `s${station}`, parent: 'c', kind: 'group', level: 4, name: `${station}号站` })
    for (let building = 1; building <= BUILDINGS; building += 1) {
      const key = `s${station}b${building}`
      nodes.push({ key, parent: `s${station}`, kind: 'sub-user', level: 6, name: `${building}号楼` })
      for (let flat = 1; flat <= HOUSEHOLDS; flat += 1) {
        const name = `住户${station === 1 ? '' : '乙区'}${building * 1000 + flat}号`
        nodes.push({ key: `${key}h${flat}`, parent: key, kind: 'address', level: 8, name })
      }
    }
  }
  return { ...createRegistry(), nodes, devices: [] }
}

beforeAll(async () => {
  core = await createTestCore({ registry: createNamed() })
  await sql`insert into device_model (kind, name) values ('valve', 'm')`.execute(core.db)
  await sql`
    insert into device (company_id, serial, kind, name, model, node_id, period_s)
    select company_id, 'HM' || key, 'valve', 'v', 'm', id, 60 from node where level = 8`.execute(core.db)
  await sql`analyze`.execute(core.db)
  network = createNetwork(core.db, core.devices, 20_000)
})
afterAll(() => core.close())

async function searchIn(keys: readonly string[], text: string) {
  const paths = await Promise.all(keys.map((key) => core.pathOf(key)))
  const scope: Scope = { kind: 'paths', paths }
  const permissions = new Set(['pe-fmreal'] as const)
  const { datalist, more } = await network.searchTree({ permissions, scope }, { text, size: 30 })
  return { labels: datalist.map(({ chain, device }) => device?.serial ?? chain.at(-1)?.label ?? ''), more }
}

const households = (station: number, buildings: number): string[] =>
  Array.from({ length: buildings }, (_, index) => `s${station}b${index + 1}`)

test('the best names come first when more names match than are looked up', async () => {
  expect(BUILDINGS * HOUSEHOLDS).toBeGreaterThan(MAX_NAMES)
  const { labels, more } = await searchIn(['p'], '住户')
  expect([labels[0], labels.length, more]).toEqual(['住户1001号', 30, true])
})

test.each(['住', '住户', 'zh', '1'])(
  '%s finds nodes of a subtree whose names all rank late',
  async (text) => {
    const { labels, more } = await searchIn(['s2'], text)
    expect([labels.length, more]).toEqual([30, true])
    expect(
      labels.filter((label) => label.startsWith('住户')).every((label) => label.startsWith('住户乙区')),
    ).toBe(true)
  },
)

test.each(['住', '住户', 'zh', '45'])('%s finds only the one household that is granted', async (text) => {
  expect(await searchIn(['s2b80h45'], text)).toEqual({ labels: ['住户乙区80045号'], more: false })
})

test.each([
  ['few nodes in many subtrees', 1, 30],
  ['many nodes in many subtrees', 2, BUILDINGS],
])('names, addresses and serials are found in %s', async (_what, station, buildings) => {
  const keys = households(station, buildings)
  expect(await searchIn(keys, '住户')).toMatchObject({ more: true, labels: { length: 30 } })
  expect((await searchIn(keys, `7号楼${7003}`)).labels).toEqual([
    station === 1 ? '住户7003号' : '住户乙区7003号',
  ])
  expect((await searchIn(keys, `HMs${station}b7h4`)).labels.toSorted()).toEqual(
    ['', 0, 1, 2, 3, 4, 5].map((digit) => `HMs${station}b7h4${digit}`),
  )
  expect(await searchIn(keys, `HMs${3 - station}b7`)).toEqual({ labels: [], more: false })
})

test('a device granted individually is found beside a large subtree, but no other device of its station', async () => {
  const id = await core.deviceId('HMs1b7h4')
  const paths = [await core.pathOf('s2'), `${await core.pathOf('s1b7h4')}d${id}/`]
  const answer = await network.searchTree(
    { permissions: new Set(['pe-fmreal']), scope: { kind: 'paths', paths } },
    { text: 'HMs1b7h', size: 30 },
  )
  expect(answer.datalist.map(({ device }) => device?.serial)).toEqual(['HMs1b7h4'])
})

test.each(['s1', 's2'])(
  'any matching nodes of a large subtree are found without reading all of them (%s)',
  async (key) => {
    const path = await core.pathOf(key)
    const searchScope = {
      kind: 'subtrees',
      paths: [path],
      ids: [await core.nodeId(key)],
      companyIds: [],
      deviceIds: [],
    } as const
    const found = await core.db
      .transaction()
      .execute((transaction) =>
        findAny(transaction, searchScope, { plain: '户', folded: '户', latin: undefined }, 30),
      )
    expect(found).toHaveLength(30)
    expect(found.every((node) => node.path.startsWith(path) && node.level === 8)).toBe(true)
  },
)

test('a search that times out reports that there may be more', async () => {
  const withShortTimeout = createNetwork(core.db, core.devices, 1)
  const scope: Scope = { kind: 'paths', paths: [await core.pathOf('p')] }
  const answer = await withShortTimeout.searchTree(
    { permissions: new Set(), scope },
    { text: '住', size: 30 },
  )
  expect(answer.more).toBe(true)
})
