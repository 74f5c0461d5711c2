import { createTree, ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCompany, UUID_A, UUID_B } from '../lists/list-samples.testkit.ts'
import { createLoadedTree } from '../load/tree-samples.testkit.ts'
import { verifyNodes } from '../load/verify-nodes.ts'
import { MAX_STORED, restoreTree, toTreeMemory, treeMemory } from './tree-memory.ts'

const throughStorage = (tree: Tree, current?: string): Tree => {
  const next = createTree('-1')
  restoreTree(next, treeMemory.parse(JSON.parse(JSON.stringify(toTreeMemory(tree, current)))))
  return next
}
const keysOf = (tree: Tree, nodes: readonly number[]) => nodes.map((node) => tree.view(node).key)

describe('§4 Tree: checked and expanded nodes are stored so that they can be restored', () => {
  test('after a page reload the selection is the same before anything is loaded', async () => {
    const { tree, open, at } = createLoadedTree()
    await open('-1', '1', '2', '3', '4', '5')
    tree.check(at('6'), true)
    tree.check(at(`${UUID_A}-L2-1单元-101`), true)
    const next = throughStorage(tree)
    expect(keysOf(next, next.covering())).toEqual(keysOf(tree, tree.covering()))
    expect(next.state().expanded.toSorted()).toEqual(tree.state().expanded.toSorted())
  })

  test('the following load fetches only expanded nodes and opens no others', async () => {
    const first = createLoadedTree()
    await first.open('-1', '1', '2', '3', '4')
    first.tree.check(first.at('1'), true)
    const second = createLoadedTree(createCompany())
    restoreTree(second.tree, toTreeMemory(first.tree, undefined))
    await second.loader.load(ROOT_NODE, { keepClosed: true, partial: true })
    expect(second.requests).toEqual(['projects 1 20', 'groups 1', 'subdivisions 1,2', 'users 1,2'])
    expect(second.tree.isExpanded(second.at('5'))).toBe(false)
    expect(second.tree.isChecked(second.at('6'))).toBe(true)
    expect(keysOf(second.tree, second.tree.covering())).toEqual(['1'])
  })

  test('the current node is restored with its ancestors', async () => {
    const { tree, open } = createLoadedTree()
    await open('-1', '1', '2', '3', '4', '6')
    const next = throughStorage(tree, UUID_B)
    expect(next.find(UUID_B)).toBeDefined()
    expect(toTreeMemory(tree, UUID_B).current).toBe(UUID_B)
    expect(toTreeMemory(tree, 'gone').current).toBeUndefined()
  })

  test('a checked node that no longer exists is deselected when its list is loaded', async () => {
    const first = createLoadedTree()
    await first.open('-1', '1', '2', '3', '4', '5', '6')
    first.tree.check(first.at(UUID_A), true)
    first.tree.check(first.at(UUID_B), true)
    for (const key of ['1', '2', '3', '4', '5', '6']) first.tree.expand(first.at(key), false)
    const company = createCompany()
    company.users = company.users.filter(({ uuid }) => uuid !== UUID_A)
    const { tree, loader, requests } = createLoadedTree(company)
    restoreTree(tree, toTreeMemory(first.tree, undefined))
    await loader.load(ROOT_NODE, { keepClosed: true, partial: true })
    expect(tree.find(UUID_A)).toBeDefined()
    await verifyNodes(
      tree,
      loader,
      tree.covering().map((node) => tree.view(node).key),
    )
    expect(tree.find(UUID_A)).toBeUndefined()
    expect(keysOf(tree, tree.covering())).toContain('6')
    expect(requests).toEqual(['projects 1 20', 'groups 1', 'users 1,2'])
    expect(tree.isExpanded(tree.find('5') ?? 0)).toBe(false)
  })

  test('too many checks are not stored at all, rather than in part', () => {
    const tree = createTree('-1')
    const keys = Array.from({ length: 2 * MAX_STORED }, (_, index) => `k${index}`)
    const ones = keys.map(() => 1)
    tree.put(ROOT_NODE, { keys, labels: keys, depths: ones, kinds: ones, levels: ones }, true)
    for (const key of keys.slice(0, MAX_STORED + 1)) tree.check(tree.find(key) ?? 0, true)
    const memory = toTreeMemory(tree, 'k7')
    expect(memory.states.some((state) => state & 3)).toBe(false)
    expect(memory.keys).toEqual(['k7'])
  })

  test('a completely checked company needs only its root', () => {
    const tree = createTree('-1')
    const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}`)
    const ones = keys.map(() => 1)
    tree.put(ROOT_NODE, { keys, labels: keys, depths: ones, kinds: ones, levels: ones }, true)
    tree.check(ROOT_NODE, true)
    expect(toTreeMemory(tree, undefined)).toMatchObject({ keys: [], rootState: 7 })
  })

  test('after any checks and unchecks, a page reload restores the same coverage', async () => {
    const { tree, open } = createLoadedTree()
    await open('-1', '1', '2', '3', '4', '5', '6')
    const nodes = fc.nat(tree.count() - 1)
    fc.assert(
      fc.property(fc.array(fc.tuple(nodes, fc.boolean()), { maxLength: 12 }), (steps) => {
        for (const [node, on] of steps) tree.check(node, on)
        const next = throughStorage(tree)
        const chosen = tree.checked().filter((node) => tree.isChosen(node))
        for (const node of chosen) {
          const restored = next.find(tree.view(node).key)
          if (restored !== undefined) expect(next.isChosen(restored)).toBe(true)
        }
        const checkedKeys = new Set(keysOf(tree, tree.checked()))
        for (const key of keysOf(next, next.checked())) expect(checkedKeys.has(key)).toBe(true)
        for (const key of keysOf(next, next.covering())) {
          const node = tree.find(key)
          expect(node !== undefined && tree.isWhole(node)).toBe(true)
        }
      }),
    )
  })
})
