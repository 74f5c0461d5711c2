import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRegistry, createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { compareNames, type KnownName } from '../names/search-match.ts'
import { toAddresses, toPieces, toSearchText } from '../names/search-text.ts'
import type { FoundNode } from './found-node.ts'
import type { KnownPart } from './search-levels.ts'
import { countNames, findByName, findByParts, readNames, type SearchDatabase } from './search-queries.pg.ts'
import { openSearchScope } from './search-scope.pg.ts'
import type { LargeSearchScope } from './search-scope.ts'
import { countContaining, findInTree, findPartsInTree, type SmallTree } from './small-tree.ts'

let core: TestCore
let database: SearchDatabase
interface SameScope {
  readonly small: SmallTree
  readonly large: LargeSearchScope
  /** Names of the companies of `large`. */
  readonly names: readonly KnownName[]
}
const scopes = new Map<string, SameScope>()

/** The small registry with names that differ in width, case, numerals, special characters and length. */
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
  database = { db: core.db, limitMs: 20_000 }
  for (const keys of [['p'], ['x1', 'x2', 'b2u1'], ['x05号楼2单元']]) {
    const paths = await Promise.all(keys.map((key) => core.pathOf(key)))
    const ids = await Promise.all(keys.map((key) => core.nodeId(key)))
    const searchScope = await openSearchScope(core.db, { kind: 'paths', paths })
    if (searchScope.kind !== 'nodes') throw new Error('the scope is not small')
    const companies = await sql<{ id: number }>`select id from company`.execute(core.db)
    const companyIds = companies.rows.map(({ id }) => id)
    const large = { kind: 'subtrees', paths, ids, companyIds, deviceIds: [] } as const
    const names = (await readNames(core.db, large, 10_000)).toSorted(compareNames)
    scopes.set(keys.join(), { small: searchScope.tree, large, names })
  }
})
afterAll(() => core.close())

/** Searches for each reading of an address with the given functions. */
async function findAddress(
  text: string,
  count: (texts: readonly string[]) => Promise<ReadonlyMap<string, ReadonlyMap<number, number>> | undefined>,
  find: (parts: readonly KnownPart[]) => Promise<readonly FoundNode[]>,
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
  'memory search, search with names in memory and database search agree for %s',
  async (text) => {
    const typed = toSearchText(text)
    if (!typed) throw new Error('nothing was typed')
    for (const [keys, { small, large, names }] of scopes) {
      for (const limit of [3, 1000]) {
        const { found } = await findByName(database, large, typed, limit)
        expect(findInTree(small, typed, limit), `${keys}, ${limit}`).toEqual(found)
        const known = await findByName(database, large, typed, limit, names)
        expect(known.found, `${keys}, ${limit}, names in memory`).toEqual(found)
      }
    }
  },
)

test.each(addresses)(
  'memory search, search with names in memory and database search agree for the address %s',
  async (text) => {
    const folded = toSearchText(text)?.folded ?? ''
    for (const [keys, { small, large, names }] of scopes) {
      for (const limit of [3, 1000]) {
        const inDatabase = await findAddress(
          folded,
          (parts) => countNames(database, large, parts),
          async (parts) => (await findByParts(database, large, parts, limit)).found,
        )
        const inMemory = await findAddress(
          folded,
          async (parts) => countContaining(small, parts),
          async (parts) => findPartsInTree(small, parts, limit),
        )
        const withNames = await findAddress(
          folded,
          async (parts) => countContaining({ names }, parts),
          async (parts) => (await findByParts(database, large, parts, limit, names)).found,
        )
        expect(inMemory, `${keys}, ${limit}`).toEqual(inDatabase)
        expect(withNames, `${keys}, ${limit}, names in memory`).toEqual(inDatabase)
      }
    }
  },
)

test('most of the texts above have results', () => {
  const whole = scopes.get('p')?.small
  if (!whole) throw new Error('no searchScope')
  const found = texts.filter((text) => {
    const typed = toSearchText(text)
    return typed && findInTree(whole, typed, 1).length > 0
  })
  expect(found.length).toBeGreaterThan(20)
})
