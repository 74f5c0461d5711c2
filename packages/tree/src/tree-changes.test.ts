import { describe, expect, test } from 'vitest'
import { createTree, type NodeList, ROOT_NODE, type Tree } from './tree.ts'

const toList = (entries: readonly (readonly [key: string, depth: number])[]): NodeList => ({
  keys: entries.map(([key]) => key),
  labels: entries.map(([key]) => `label ${key}`),
  depths: entries.map(([, depth]) => depth),
  kinds: entries.map(() => 2),
  levels: entries.map(([, depth]) => depth),
})

const company = toList([
  ['a', 1],
  ['a1', 2],
  ['a2', 2],
  ['b', 1],
])

describe('a list that is not a tree', () => {
  test.each([
    [
      'a depth that skips one',
      (tree: Tree) =>
        tree.put(
          tree.find('b') ?? -1,
          toList([
            ['x', 1],
            ['y', 3],
          ]),
          true,
        ),
      /depth 3 of node 1/,
    ],
    [
      'a first node that is not a child',
      (tree: Tree) => tree.put(tree.find('b') ?? -1, toList([['x', 2]]), true),
      /depth 2 of node 0/,
    ],
    [
      'a key that comes twice',
      (tree: Tree) =>
        tree.put(
          tree.find('b') ?? -1,
          toList([
            ['x', 1],
            ['x', 1],
          ]),
          true,
        ),
      /key x twice/,
    ],
    [
      'a node below itself',
      (tree: Tree) => tree.put(tree.find('a1') ?? -1, toList([['a', 1]]), true),
      /key a below itself/,
    ],
    ['the removal of the root', (tree: Tree) => tree.remove(ROOT_NODE), /root cannot be removed/],
  ])('%s is refused and changes nothing', (_name, work, message) => {
    const tree = createTree('-1')
    tree.put(ROOT_NODE, company, true)
    expect(() => work(tree)).toThrow(RangeError)
    expect(() => work(tree)).toThrow(message)
    expect(tree.count()).toBe(5)
    expect(tree.find('x')).toBeUndefined()
  })
})

test('a node keeps its number while others come and go', () => {
  const tree = createTree('-1')
  tree.put(ROOT_NODE, company, true)
  const b = tree.find('b') ?? -1
  tree.put(
    tree.find('a') ?? -1,
    toList([
      ['a0', 1],
      ['a1', 1],
    ]),
    true,
  )
  tree.remove(tree.find('a') ?? -1)
  expect(tree.find('b')).toBe(b)
  expect(tree.view(b)).toEqual({ key: 'b', label: 'label b', kind: 2, level: 1, depth: 1, parent: ROOT_NODE })
})

test('a batch notifies its listeners once, also if it fails in the middle; without a change it notifies nobody', () => {
  const tree = createTree('-1')
  let notified = 0
  const stop = tree.subscribe(() => {
    notified += 1
  })
  tree.batch(() => {
    tree.put(ROOT_NODE, company, true)
    tree.check(ROOT_NODE, true)
  })
  expect(notified).toBe(1)
  expect(() =>
    tree.batch(() => {
      tree.check(ROOT_NODE, false)
      throw new Error('half way')
    }),
  ).toThrow('half way')
  expect(notified).toBe(2)
  tree.batch(() => {})
  expect(notified).toBe(2)
  stop()
  tree.check(ROOT_NODE, true)
  expect(notified).toBe(2)
})

test('a node that was loaded by its path alone does not represent its subtree', () => {
  const tree = createTree('-1')
  tree.put(
    ROOT_NODE,
    toList([
      ['p', 1],
      ['area', 2],
      ['house', 3],
      ['flat', 4],
    ]),
    false,
  )
  tree.check(tree.find('flat') ?? -1, true)
  const keys = () => tree.covering().map((node) => tree.view(node).key)
  expect(keys()).toEqual(['flat'])
  tree.put(
    tree.find('house') ?? -1,
    toList([
      ['flat', 1],
      ['other', 1],
    ]),
    true,
  )
  expect(keys()).toEqual(['flat'])
  tree.check(tree.find('other') ?? -1, true)
  expect(keys()).toEqual(['house'])
})

test('a search finds nodes that are loaded after its start', () => {
  const tree = createTree('-1')
  expect(tree.search('LABEL')).toBe(0)
  tree.put(ROOT_NODE, company, true)
  expect(tree.rows().count).toBe(5)
  expect(tree.search('label')).toBe(4)
})

test('a list far longer than the tree can be loaded after the first lookup by key', () => {
  const tree = createTree('-1')
  expect(tree.find('anything')).toBeUndefined()
  const entries = Array.from({ length: 20_000 }, (_, index) => [`id-${index}`, 1] as const)
  tree.put(ROOT_NODE, toList(entries), true)
  expect(entries.every(([key], index) => tree.find(key) === index + 1)).toBe(true)
})

describe('§4 Tree: checks of nodes that are not loaded', () => {
  const load = (tree: ReturnType<typeof createTree>, parent: string, ...keys: readonly string[]) =>
    tree.put(tree.find(parent) ?? -1, toList(keys.map((key) => [key, 1] as const)), true)
  const covered = (tree: ReturnType<typeof createTree>) => tree.covering().map((node) => tree.view(node).key)

  test('checking a node also checks all its ancestors: also when it was restored before they came', () => {
    const tree = createTree('-1')
    tree.restore({ checked: ['a1'], expanded: [] })
    load(tree, '-1', 'a', 'b')
    load(tree, 'a', 'a1', 'a2')
    expect(tree.isChecked(tree.find('a') ?? -1)).toBe(true)
    expect(tree.isChecked(tree.find('a2') ?? -1)).toBe(false)
  })

  test('unchecking unchecks its descendants: also those that were to be restored and come later', () => {
    const tree = createTree('-1')
    tree.restore({ checked: ['a', 'a1'], expanded: [], chosen: ['a1'] })
    load(tree, '-1', 'a', 'b')
    tree.check(tree.find('a') ?? -1, false)
    load(tree, 'a', 'a1', 'a2')
    expect(tree.checked()).toEqual([ROOT_NODE])
  })

  test('a node that moves keeps its check, whichever of the two parents is loaded again first', () => {
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const tree = createTree('-1')
      load(tree, '-1', 'a', 'b')
      load(tree, 'a', 'a1', 'moving')
      load(tree, 'b', 'b1')
      tree.check(tree.find('moving') ?? -1, true)
      for (const parent of order) {
        if (parent === 'a') load(tree, 'a', 'a1')
        else load(tree, 'b', 'b1', 'moving')
      }
      tree.forgetDeparted()
      expect(covered(tree)).toEqual(['moving'])
    }
  })

  test('a stale node still represents its subtree until it is loaded again', () => {
    const tree = createTree('-1')
    load(tree, '-1', 'a')
    load(tree, 'a', 'a1', 'a2')
    tree.check(tree.find('a1') ?? -1, true)
    tree.check(tree.find('a2') ?? -1, true)
    tree.forgetComplete(ROOT_NODE)
    expect(covered(tree)).toEqual(['a'])
    expect(tree.isComplete(tree.find('a') ?? -1)).toBe(false)
  })
})
