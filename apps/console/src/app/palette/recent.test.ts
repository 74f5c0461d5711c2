import { expect, test } from 'vitest'
import { addRecent, type RecentItem, readRecent, saveRecent } from './recent.ts'

const page = (path: string): RecentItem => ({ kind: 'page', path })
const node = (key: string): RecentItem => ({
  kind: 'node',
  hit: {
    chain: [{ node: key, label: key, level: 1, nodetype: 'project' }],
    nestaddr: key,
    projectid: 1,
    match: 'name',
  },
})

test('the last used item comes first, and no item is listed twice', () => {
  const items = [page('/b'), page('/a')]
  expect(addRecent(items, page('/a'))).toEqual([page('/a'), page('/b')])
})

test('many visited pages do not push out the nodes', () => {
  const visited = ['/a', '/b', '/c', '/d', '/e', '/f'].map(page)
  const items = visited.reduce<readonly RecentItem[]>(addRecent, [node('7')])
  expect(items).toHaveLength(6)
  expect(items.at(-1)).toEqual(node('7'))
  expect(items[0]).toEqual(page('/f'))
})

test('users do not share recent items, and unreadable items are ignored', () => {
  const stored = new Map<string, string>()
  const store = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  }
  saveRecent(store, 1, node('7'))
  expect(readRecent(store, 1)).toEqual([node('7')])
  expect(readRecent(store, 2)).toEqual([])
  for (const key of stored.keys()) stored.set(key, '{')
  expect(readRecent(store, 1)).toEqual([])
})
