import { expect, test } from 'vitest'
import type { KnownName } from '../names/search-match.ts'
import { createNameCache } from './name-cache.ts'
import type { LargeSearchScope } from './search-scope.ts'

const toName = (name: string, level: number): KnownName => ({
  companyId: 1,
  level,
  name,
  plain: name,
  folded: name,
  pinyin: '',
  initials: '',
})
const scopeOf = (...companyIds: readonly number[]): LargeSearchScope => ({
  kind: 'subtrees',
  paths: ['/1/'],
  ids: [1],
  deviceIds: [],
  companyIds,
})

const createCounted = (names: readonly KnownName[]) => {
  let reads = 0
  const find = createNameCache(async (_searchScope, limit) => {
    reads += 1
    return names.slice(0, limit)
  })
  return { find, reads: () => reads }
}

test('names are read once per company, returned in order, and read again after the tree has changed', async () => {
  const { find, reads } = createCounted([toName('十号楼', 6), toName('楼', 6), toName('站', 4)])
  const names = await find(scopeOf(1), 1)
  expect(names?.map(({ name }) => name)).toEqual(['站', '楼', '十号楼'])
  expect(await find(scopeOf(1), 1)).toBe(names)
  expect(reads()).toBe(1)
  await find(scopeOf(1), 2)
  await find(scopeOf(1, 2), 2)
  await find({ kind: 'everything' }, 2)
  expect(reads()).toBe(4)
})

test('too many names are left to the database, and the cache remembers it', async () => {
  const { find, reads } = createCounted(Array.from({ length: 10_001 }, (_, index) => toName(`${index}`, 8)))
  expect(await find(scopeOf(1), 1)).toBeUndefined()
  expect(await find(scopeOf(1), 1)).toBeUndefined()
  expect(reads()).toBe(1)
})
