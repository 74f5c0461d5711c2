import { describe, expect, test } from 'vitest'
import { createTree, type NodeList, ROOT_NODE, type Tree } from './tree.ts'

const toList = (entries: readonly (readonly [key: string, depth: number])[]): NodeList => ({
  keys: entries.map(([key]) => key),
  labels: entries.map(([key]) => `label ${key}`),
  depths: entries.map(([, depth]) => depth),
  kinds: entries.map(() => 0),
  levels: entries.map(([, depth]) => depth),
})

/** Two houses: a with the flats a1 and a2, b with b1. */
function createHouses(): Tree {
  const tree = createTree('-1')
  const houses = toList([
    ['a', 1],
    ['a1', 2],
    ['a2', 2],
    ['b', 1],
    ['b1', 2],
  ])
  tree.put(ROOT_NODE, houses, true)
  return tree
}
const nodeOf = (tree: Tree, key: string): number => tree.find(key) ?? -1
const rowsOf = (tree: Tree): readonly string[] => {
  const rows = tree.rows()
  return Array.from({ length: rows.count }, (_, row) => tree.view(rows.at(row)).key)
}

test.each<[string, (tree: Tree) => void]>([
  ['a load', (tree) => tree.put(nodeOf(tree, 'b'), toList([['b2', 1]]), false)],
  ['a removal', (tree) => tree.remove(nodeOf(tree, 'a'))],
  ['a check', (tree) => tree.check(nodeOf(tree, 'a'), true)],
  ['an expansion', (tree) => tree.expand(nodeOf(tree, 'a'), true)],
  ['the expansion of all', (tree) => tree.expandAll(true)],
  ['a restored state', (tree) => tree.restore({ checked: [], expanded: [] })],
  ['another search', (tree) => tree.search('a1')],
  ['a stale subtree', (tree) => tree.forgetComplete(ROOT_NODE)],
])('%s raises the version and notifies once', (_, change) => {
  const tree = createHouses()
  let notified = 0
  tree.subscribe(() => {
    notified += 1
  })
  const before = tree.version()
  change(tree)
  expect(notified).toBe(1)
  expect(tree.version()).toBe(before + 1)
})

test('reading, and a search for the same text with other spaces around it, changes nothing', () => {
  const tree = createHouses()
  tree.search('a1')
  const before = tree.version()
  tree.rows()
  tree.covering()
  tree.state()
  tree.place(nodeOf(tree, 'a'))
  expect(tree.search(' a1 ')).toBe(1)
  expect(tree.version()).toBe(before)
})

test('batches within a batch notify at the end of the outer one', () => {
  const tree = createHouses()
  const notified: number[] = []
  tree.subscribe(() => notified.push(tree.count()))
  tree.batch(() => {
    tree.batch(() => tree.remove(nodeOf(tree, 'a')))
    expect(notified).toEqual([])
    tree.remove(nodeOf(tree, 'b'))
  })
  expect(notified).toEqual([1])
})

describe('rows', () => {
  test('follow every change between two reads', () => {
    const tree = createHouses()
    expect(rowsOf(tree)).toEqual(['-1', 'a', 'b'])
    tree.expand(nodeOf(tree, 'b'), true)
    expect(rowsOf(tree)).toEqual(['-1', 'a', 'b', 'b1'])
    tree.expandAll(true, nodeOf(tree, 'a'))
    tree.expand(nodeOf(tree, 'b'), false)
    expect(rowsOf(tree)).toEqual(['-1', 'a', 'a1', 'a2', 'b'])
    tree.remove(nodeOf(tree, 'a1'))
    expect(rowsOf(tree)).toEqual(['-1', 'a', 'a2', 'b'])
    tree.expandAll(false)
    expect(rowsOf(tree)).toEqual(['-1'])
  })

  test('of a search are the matches with their ancestors, with places among them', () => {
    const tree = createHouses()
    expect(tree.search('label a2')).toBe(1)
    expect(rowsOf(tree)).toEqual(['-1', 'a', 'a2'])
    expect(tree.place(nodeOf(tree, 'a2'))).toEqual({ position: 1, siblings: 1 })
    expect([tree.isMatch(nodeOf(tree, 'a2')), tree.isMatch(nodeOf(tree, 'a'))]).toEqual([true, false])
    expect([tree.isOpen(nodeOf(tree, 'a')), tree.isOpen(nodeOf(tree, 'b'))]).toEqual([true, false])
    expect(tree.search('')).toBe(0)
    expect(tree.place(nodeOf(tree, 'a2'))).toEqual({ position: 2, siblings: 2 })
    expect(tree.isMatch(nodeOf(tree, 'a2'))).toBe(false)
    expect(tree.isOpen(nodeOf(tree, 'a'))).toBe(false)
    expect(rowsOf(tree)).toEqual(['-1', 'a', 'b'])
    expect(tree.rows().indexOf(nodeOf(tree, 'a2'))).toBe(-1)
  })

  test('of a search below an open match are all, as far as they are opened', () => {
    const tree = createHouses()
    tree.search('label a')
    expect(rowsOf(tree)).toEqual(['-1', 'a', 'a1', 'a2'])
    expect(tree.place(ROOT_NODE)).toEqual({ position: 1, siblings: 1 })
    expect(tree.search('label b')).toBe(2)
    tree.search('label')
    expect(rowsOf(tree)).toEqual(['-1', 'a', 'a1', 'a2', 'b', 'b1'])
  })
})

describe('whole subtrees', () => {
  const coveringOf = (tree: Tree) => tree.covering().map((node) => tree.view(node).key)

  test('follow checks, loads and removals between two reads', () => {
    const tree = createHouses()
    tree.check(nodeOf(tree, 'a1'), true)
    expect([coveringOf(tree), tree.isWhole(nodeOf(tree, 'a'))]).toEqual([['a1'], false])
    tree.check(nodeOf(tree, 'a'), true)
    expect([coveringOf(tree), tree.isWhole(nodeOf(tree, 'a'))]).toEqual([['a'], true])
    tree.check(nodeOf(tree, 'a2'), false)
    expect([coveringOf(tree), tree.isChosen(nodeOf(tree, 'a'))]).toEqual([['a1'], false])
    tree.remove(nodeOf(tree, 'a1'))
    expect(coveringOf(tree)).toEqual([])
  })
})

describe('a saved state', () => {
  test('has checked, directly checked and expanded nodes, also those that are not loaded', () => {
    const tree = createHouses()
    tree.restore({ checked: ['x', 'a1'], expanded: ['y', 'a'], chosen: ['a1', 'z'] })
    const { checked, expanded, chosen } = tree.state()
    expect(checked.toSorted()).toEqual(['-1', 'a', 'a1', 'x', 'z'])
    expect(expanded.toSorted()).toEqual(['a', 'y'])
    expect(chosen.toSorted()).toEqual(['a1', 'z'])
  })

  test('has no expanded leaf, and an expanded node whose children are not loaded', () => {
    const tree = createHouses()
    tree.put(nodeOf(tree, 'a1'), toList([]), true)
    tree.expandAll(true)
    expect(tree.state().expanded.toSorted()).toEqual(['-1', 'a', 'a2', 'b', 'b1'])
    expect([tree.isLeaf(nodeOf(tree, 'a1')), tree.isLeaf(nodeOf(tree, 'a2'))]).toEqual([true, false])
  })

  test('of removed nodes comes back with them, until the reload has ended', () => {
    const tree = createHouses()
    tree.check(nodeOf(tree, 'b1'), true)
    tree.remove(nodeOf(tree, 'b1'))
    tree.put(nodeOf(tree, 'b'), toList([['b1', 1]]), true)
    expect(tree.isChecked(nodeOf(tree, 'b1'))).toBe(true)
    tree.remove(nodeOf(tree, 'b1'))
    tree.forgetDeparted()
    tree.put(nodeOf(tree, 'b'), toList([['b1', 1]]), true)
    expect(tree.isChecked(nodeOf(tree, 'b1'))).toBe(false)
  })

  test('loses all waiting checks if the root is unchecked, but not what is to be expanded', () => {
    const tree = createHouses()
    tree.restore({ checked: ['x', 'y'], expanded: ['y', 'z'] })
    tree.check(ROOT_NODE, false)
    const { checked, expanded } = tree.state()
    expect([checked, expanded.toSorted()]).toEqual([[], ['y', 'z']])
  })
})
