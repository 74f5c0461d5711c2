import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRegistry, createTestCore, type TestCore } from '../../../core.testkit.ts'
import { compareNames, type KnownName } from '../names/search-match.ts'
import { toAddresses, toPieces, toSearchText } from '../names/search-text.ts'
import { openField } from './search-scope.pg.ts'
import type { LargeField } from './search-scope.ts'
import { createTreeSearchStore } from './search-store.pg.ts'
import type { FoundNode, TreeSearchStore } from './search-store.ts'
import { countContaining, findByParts, findNamed, type SmallTree } from './small-tree.ts'

let core: TestCore
let store: TreeSearchStore
interface Places {
  readonly small: SmallTree
  readonly large: LargeField
  /** Of the large field's companies. */
  readonly names: readonly KnownName[]
}
const fields = new Map<string, Places>()

/** The small registry with names that differ in width, case, numerals, signs and length. */
function createVaried() {
  const file = createRegistry()
  const areas = ['阳光花园2期', '阳光', 'Sunny 5', '２号', '𠮷野苑', 'ﬁ园', '5(东)区', '二期_甲%', '绿洲']
  for (const [index, name] of areas.entries()) {
    const area = `x${index}`
    file.nodes.push({ key: area, parent: index % 2 ? 's1' : 's2', kind: 'group', level: 5, name })
    for (const building of ['5号楼', '十五号楼', '2期 5栋', '阳光2']) {
      const key = `${area}${building}`
      file.nodes.push({ key, parent: area, kind: 'sub-user', level: 6, name: building })
      for (const unit of ['2单元', '5', '301室']) {
        file.nodes.push({ key: key + unit, parent: key, kind: 'address', level: 7, name: unit })
        file.nodes.push({ key: `${key}${unit}h`, parent: key + unit, kind: 'address', level: 8, name: '301' })
      }
    }
  }
  return file
}

beforeAll(async () => {
  core = await createTestCore({ registry: createVaried() })
  await sql`analyze`.execute(core.db)
  store = createTreeSearchStore(core.db, 20_000)
  for (const keys of [['p'], ['x1', 'x2', 'b2u1'], ['x05号楼2单元']]) {
    const paths = await Promise.all(keys.map((key) => core.pathOf(key)))
    const ids = await Promise.all(keys.map((key) => core.nodeId(key)))
    const field = await openField(core.db, { kind: 'paths', paths })
    if (field.kind !== 'nodes') throw new Error('the field is not small')
    const companies = await sql<{ id: number }>`select id from company`.execute(core.db)
    const companyIds = companies.rows.map(({ id }) => id)
    const large = { kind: 'subtrees', paths, ids, companyIds, deviceIds: [] } as const
    const names = (await store.readNames(large, 10_000)).toSorted(compareNames)
    fields.set(keys.join(), { small: field.tree, large, names })
  }
})
afterAll(() => core.close())

/** What an address finds, by whichever says where its parts are and what they lead to. */
async function findAddress(
  text: string,
  count: (texts: readonly string[]) => Promise<ReadonlyMap<string, ReadonlyMap<number, number>> | undefined>,
  find: (parts: Parameters<TreeSearchStore['findByParts']>[1]) => Promise<readonly FoundNode[]>,
): Promise<(readonly FoundNode[])[]> {
  const found = []
  for (const address of toAddresses(toPieces(text))) {
    const counts = await count(address.flatMap(({ texts }) => texts))
    const parts = address.map((part) => {
      const names = new Map<number, number>()
      for (const each of part.texts)
        for (const [level, number] of counts?.get(each) ?? [])
          names.set(level, number + (names.get(level) ?? 0))
      return { ...part, names }
    })
    found.push(await find(parts))
  }
  return found
}

const texts = [
  '楼',
  '阳光',
  '5',
  '五',
  '301',
  '2',
  '期',
  'yg',
  'ygh',
  'yangguang',
  'uang',
  'sunny',
  'SUNNY5',
  '２',
  'fi',
  '𠮷',
  '%',
  '_',
  '(东',
  '单元',
  'h',
  'lz',
  '没有',
  '区',
  '15',
  '号楼',
  'g',
  'guang',
  '甲%',
]
const addresses = [
  '5-2-301',
  '阳光 5',
  '阳光2期5',
  '阳光花园2期5号楼',
  '2 5 301',
  'yg 5 2',
  'sunny 5 301',
  '5栋301',
  '15-301',
  '阳光2-5-301',
  '5(东)区5号楼',
  '5 5',
  '站 园 楼 元 301',
  '2期 301',
  '301室301',
  '𠮷野 5',
  '甲% 5号楼',
  'l z',
]

test.each(texts)(
  'a small scope, and names at hand, give the same for %s as a search in the database',
  async (text) => {
    const typed = toSearchText(text)
    if (!typed) throw new Error('nothing was typed')
    for (const [keys, { small, large, names }] of fields) {
      for (const limit of [3, 1000]) {
        const { found } = await store.findByName(large, typed, limit)
        expect(findNamed(small, typed, limit), `${keys}, ${limit}`).toEqual(found)
        const known = await store.findByName(large, typed, limit, names)
        expect(known.found, `${keys}, ${limit}, names at hand`).toEqual(found)
      }
    }
  },
)

test.each(addresses)(
  'a small scope, and names at hand, give the same for the address %s as the database',
  async (text) => {
    const folded = toSearchText(text)?.folded ?? ''
    for (const [keys, { small, large, names }] of fields) {
      for (const limit of [3, 1000]) {
        const inDatabase = await findAddress(
          folded,
          (parts) => store.countNames(large, parts),
          async (parts) => (await store.findByParts(large, parts, limit)).found,
        )
        const inMemory = await findAddress(
          folded,
          async (parts) => countContaining(small, parts),
          async (parts) => findByParts(small, parts, limit),
        )
        const withNames = await findAddress(
          folded,
          async (parts) => countContaining({ names }, parts),
          async (parts) => (await store.findByParts(large, parts, limit, names)).found,
        )
        expect(inMemory, `${keys}, ${limit}`).toEqual(inDatabase)
        expect(withNames, `${keys}, ${limit}, names at hand`).toEqual(inDatabase)
      }
    }
  },
)

test('of the questions here most find something', () => {
  const whole = fields.get('p')?.small
  if (!whole) throw new Error('no field')
  const found = texts.filter((text) => {
    const typed = toSearchText(text)
    return typed && findNamed(whole, typed, 1).length > 0
  })
  expect(found.length).toBeGreaterThan(20)
})
