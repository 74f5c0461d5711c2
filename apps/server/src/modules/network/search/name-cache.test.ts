import { expect, test } from 'vitest'
import type { KnownName } from '../names/search-match.ts'
import { createKeptNames } from './name-cache.ts'
import type { LargeField } from './search-scope.ts'

const toName = (name: string, level: number): KnownName => ({
  companyId: 1,
  level,
  name,
  plain: name,
  folded: name,
  pinyin: '',
  initials: '',
})
const fieldOf = (...companyIds: readonly number[]): LargeField => ({
  kind: 'subtrees',
  paths: ['/1/'],
  ids: [1],
  deviceIds: [],
  companyIds,
})

const createCounted = (names: readonly KnownName[]) => {
  let reads = 0
  const find = createKeptNames({
    async readNames(_field, limit) {
      reads += 1
      return names.slice(0, limit)
    },
  })
  return { find, reads: () => reads }
}

test('names are read once for a company, in their order, and anew once the tree has changed', async () => {
  const { find, reads } = createCounted([toName('十号楼', 6), toName('楼', 6), toName('站', 4)])
  const names = await find(fieldOf(1), 1)
  expect(names?.map(({ name }) => name)).toEqual(['站', '楼', '十号楼'])
  expect(await find(fieldOf(1), 1)).toBe(names)
  expect(reads()).toBe(1)
  await find(fieldOf(1), 2)
  await find(fieldOf(1, 2), 2)
  await find({ kind: 'everything' }, 2)
  expect(reads()).toBe(4)
})

test('more names than can be gone through here are left to the database, which is asked once', async () => {
  const { find, reads } = createCounted(Array.from({ length: 10_001 }, (_, index) => toName(`${index}`, 8)))
  expect(await find(fieldOf(1), 1)).toBeUndefined()
  expect(await find(fieldOf(1), 1)).toBeUndefined()
  expect(reads()).toBe(1)
})
