import { expect, test } from 'vitest'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { SearchScope } from './search-scope.ts'
import { createSearchScopeCache } from './search-scope-cache.ts'

const createCounted = () => {
  const opened: Scope[] = []
  const find = createSearchScopeCache(async (scope): Promise<SearchScope> => {
    opened.push(scope)
    return { kind: 'subtrees', paths: ['/1/'], ids: [1], companyIds: [opened.length], deviceIds: [] }
  })
  return { find, opened }
}

test('a search scope is opened once, and again after the tree has changed', async () => {
  const { find, opened } = createCounted()
  const scope: Scope = { kind: 'paths', paths: ['/1/'] }
  const first = await find(scope, 1)
  expect(await find(scope, 1)).toBe(first)
  expect(await find(scope, 2)).not.toBe(first)
  expect(opened).toHaveLength(2)
})

test('another scope object is opened separately, without paths below other paths', async () => {
  const { find, opened } = createCounted()
  const paths = ['/1/', '/1/4/']
  const [one, other] = [await find({ kind: 'paths', paths }, 1), await find({ kind: 'paths', paths }, 1)]
  expect(one).not.toBe(other)
  expect(opened).toEqual([
    { kind: 'paths', paths: ['/1/'] },
    { kind: 'paths', paths: ['/1/'] },
  ])
})
