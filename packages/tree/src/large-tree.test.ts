import { expect, test } from 'vitest'
import { createTree, type NodeList, ROOT_NODE, type Tree } from './tree.ts'

/** Nodes `from` to `from + count` in groups of ten: the first of each group is the parent of the others. */
function toGroups(from: number, count: number): NodeList {
  const numbers = Array.from({ length: count }, (_, index) => from + index)
  return {
    keys: numbers.map((number) => `key-${number}`),
    labels: numbers.map((number) => `label ${number}`),
    depths: numbers.map((_, index) => (index % 10 === 0 ? 1 : 2)),
    kinds: numbers.map((number) => number % 7),
    levels: numbers.map((number) => number % 5),
    complete: numbers.map((number) => number % 2),
  }
}

/** Data of the nodes by key, as in the lists. */
function expectGroups(tree: Tree, from: number, count: number, parent: number): void {
  for (let index = 0; index < count; index += 1) {
    const number = from + index
    const node = tree.find(`key-${number}`) ?? -1
    const first = tree.find(`key-${number - (index % 10)}`) ?? -1
    expect(tree.view(node)).toEqual({
      key: `key-${number}`,
      label: `label ${number}`,
      kind: number % 7,
      level: number % 5,
      depth: tree.view(parent).depth + (index % 10 === 0 ? 1 : 2),
      parent: index % 10 === 0 ? parent : first,
    })
    expect(tree.sizeOf(node)).toBe(index % 10 === 0 ? 10 : 1)
    expect(tree.isComplete(node)).toBe(number % 2 === 1)
  }
}

test('nodes that are loaded in several lists before the first lookup have their data', () => {
  const tree = createTree('-1')
  tree.put(ROOT_NODE, toGroups(0, 300), true)
  const [, parent = -1] = tree.children(tree.children(ROOT_NODE)[0] ?? -1)
  tree.put(parent, toGroups(300, 20), false)
  const other = tree.children(tree.children(ROOT_NODE)[1] ?? -1)[0] ?? -1
  tree.put(other, toGroups(320, 700), false)
  expect(tree.count()).toBe(1_021)
  expect(tree.sizeOf(parent)).toBe(21)
  expect(tree.sizeOf(other)).toBe(701)
  expectGroups(tree, 300, 20, parent)
  expectGroups(tree, 320, 700, other)
})

test('every key is found after the tree has grown, and after nodes were removed and loaded again', () => {
  const tree = createTree('-1')
  expect(tree.find('key-0')).toBeUndefined()
  for (let from = 0; from < 3_000; from += 500) tree.put(ROOT_NODE, toGroups(from, 500), false)
  expect(tree.count()).toBe(3_001)
  expectGroups(tree, 0, 3_000, ROOT_NODE)
  for (let group = 0; group < 3_000; group += 20) tree.remove(tree.find(`key-${group}`) ?? -1)
  expect(tree.count()).toBe(1_501)
  for (let number = 0; number < 3_000; number += 1) {
    expect(tree.find(`key-${number}`) !== undefined).toBe(number % 20 >= 10)
  }
  // Removed nodes give their numbers to new ones.
  tree.put(ROOT_NODE, toGroups(5_000, 1_500), false)
  expectGroups(tree, 5_000, 1_500, ROOT_NODE)
  expect(Math.max(...tree.children(ROOT_NODE))).toBeLessThanOrEqual(3_000)
  expect(tree.find('key-0')).toBeUndefined()
  expect(tree.search('label 5000')).toBe(1)
  expect(tree.search('label 0')).toBe(0)
})

test('a search treats special characters of its text literally', () => {
  const tree = createTree('-1')
  const labels = ['1.5', '115', 'a+b', 'a(b)', '[c]', 'd|e', 'f\\g', 'h^i$', '{j}?*']
  const keys = labels.map((_, index) => `k${index}`)
  const zeros = labels.map(() => 0)
  tree.put(ROOT_NODE, { keys, labels, depths: labels.map(() => 1), kinds: zeros, levels: zeros }, true)
  expect(labels.map((label) => tree.search(label))).toEqual(labels.map(() => 1))
})

test('a node at the greatest depth can be loaded, and none below it', () => {
  const tree = createTree('-1')
  const depths = Array.from({ length: 255 }, (_, index) => index + 1)
  const keys = depths.map(String)
  tree.put(ROOT_NODE, { keys, labels: keys, depths, kinds: depths, levels: depths }, true)
  const last = tree.find('255') ?? -1
  expect(tree.view(last)).toMatchObject({ depth: 255, kind: 255, level: 255 })
  const below = { keys: ['x'], labels: ['x'], depths: [1], kinds: [0], levels: [0] }
  expect(() => tree.put(last, below, true)).toThrow(RangeError)
})
