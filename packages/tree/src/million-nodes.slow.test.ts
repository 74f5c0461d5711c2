import { expect, test } from 'vitest'
import { createTree, type NodeList, ROOT_NODE } from './tree.ts'

test('a million nodes can be loaded, opened, checked and searched', () => {
  const count = 1_000_000
  const keys = Array.from({ length: count }, (_, index) => `n${index}`)
  const list: NodeList = {
    keys,
    labels: keys,
    depths: Uint8Array.from({ length: count }, (_, index) => (index % 100 === 0 ? 1 : 2)),
    kinds: new Uint8Array(count),
    levels: new Uint8Array(count),
  }
  const tree = createTree('-1')
  tree.put(ROOT_NODE, list, true)
  tree.expandAll(true)
  tree.check(ROOT_NODE, true)
  expect(tree.rows().count).toBe(count + 1)
  expect(tree.covering()).toHaveLength(count / 100)
  expect(tree.search('n99999')).toBe(11)
  expect(tree.rows().indexOf(tree.find('n999999') ?? -1)).toBe(tree.rows().count - 1)
})
