import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NaiveTree } from './naive-tree.testkit.ts'
import { createTree, NO_NODE, type NodeList, ROOT_NODE, type Tree, type TreeState } from './tree.ts'

const names = ['一单元', '二单元', '301', '302', 'Alpha', 'alphabet', '阳光\n小区']

interface Sketch {
  readonly key: number
  readonly depth: number
  readonly label: number
  readonly complete: boolean
}

/** A valid list: depths of a tree and unique keys. */
function toList(sketches: readonly Sketch[]): NodeList {
  const keys: string[] = []
  const labels: string[] = []
  const depths: number[] = []
  const complete: number[] = []
  for (const sketch of sketches) {
    const key = `k${sketch.key}`
    if (keys.includes(key)) continue
    keys.push(key)
    labels.push(names[sketch.label] ?? '')
    depths.push(Math.min(sketch.depth, (depths.at(-1) ?? 0) + 1))
    complete.push(sketch.complete ? 1 : 0)
  }
  return { keys, labels, depths, kinds: keys.map(() => 1), levels: depths, complete }
}

const sketch = fc.record({
  key: fc.nat(30),
  depth: fc.integer({ min: 1, max: 4 }),
  label: fc.nat(names.length - 1),
  complete: fc.boolean(),
})
const keyNumber = fc.nat(34)
const keyList = fc.array(
  keyNumber.map((number) => `k${number}`),
  { maxLength: 12 },
)

type Step = (tree: Tree, naive: NaiveTree) => void

/** Applies the same action to both trees; both ignore an unknown node. */
const onNode =
  (key: string, work: (tree: Tree, node: number) => void, same: (naive: NaiveTree) => void): Step =>
  (tree, naive) => {
    const node = tree.find(key)
    if (node === undefined) return
    work(tree, node)
    same(naive)
  }

const anyKey = fc.oneof(
  fc.constant('-1'),
  keyNumber.map((number) => `k${number}`),
)

const put = fc
  .record({
    parent: anyKey,
    sketches: fc.array(sketch, { maxLength: 12, size: 'max' }),
    complete: fc.boolean(),
  })
  .map(
    ({ parent, sketches, complete }): Step =>
      (tree, naive) => {
        const node = tree.find(parent)
        if (node === undefined) return
        const above = new Set(tree.chain(node).map((each) => tree.view(each).key))
        const list = toList(sketches.filter(({ key }) => !above.has(`k${key}`)))
        tree.put(node, list, complete)
        naive.put(parent, list, complete)
      },
  )

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: put },
  fc.tuple(anyKey, fc.boolean()).map(([key, on]) =>
    onNode(
      key,
      (tree, node) => tree.check(node, on),
      (naive) => naive.check(key, on),
    ),
  ),
  fc.tuple(anyKey, fc.boolean()).map(([key, on]) =>
    onNode(
      key,
      (tree, node) => tree.expand(node, on),
      (naive) => naive.expand(key, on),
    ),
  ),
  keyNumber.map((number) =>
    onNode(
      `k${number}`,
      (tree, node) => tree.remove(node),
      (naive) => naive.remove(`k${number}`),
    ),
  ),
  fc.boolean().map(
    (on): Step =>
      (tree, naive) => {
        tree.expandAll(on)
        naive.expandAll(on)
      },
  ),
  fc.tuple(anyKey, fc.boolean()).map(([key, on]) =>
    onNode(
      key,
      (tree, node) => tree.expandAll(on, node),
      (naive) => naive.expandAll(on, key),
    ),
  ),
  anyKey.map((key) =>
    onNode(
      key,
      (tree, node) => tree.forgetComplete(node),
      (naive) => naive.forgetComplete(key),
    ),
  ),
  fc.constant<Step>((tree, naive) => {
    tree.forgetDeparted()
    naive.forgetDeparted()
  }),
  fc.constantFrom('', '单元', 'ALPHA', '30', '小区', 'nothing').map(
    (text): Step =>
      (tree, naive) => {
        expect(tree.search(text)).toBe(naive.search(text))
      },
  ),
  fc.record({ checked: keyList, expanded: keyList, chosen: fc.option(keyList, { nil: undefined }) }).map(
    ({ checked, expanded, chosen }): Step =>
      (tree, naive) => {
        const state = { checked, expanded, ...(chosen ? { chosen } : {}) }
        tree.restore(state)
        naive.restore(state)
      },
  ),
)

const keysOf = (tree: Tree, nodes: readonly number[]): string[] => nodes.map((node) => tree.view(node).key)

const isChosenIn =
  (tree: Tree) =>
  (key: string): boolean =>
    tree.isChosen(tree.find(key) ?? NO_NODE)

function listRows(tree: Tree) {
  const rows = tree.rows()
  return Array.from({ length: rows.count }, (_, row) => {
    const node = rows.at(row)
    expect(rows.indexOf(node)).toBe(row)
    return {
      key: tree.view(node).key,
      ...tree.place(node),
      checked: tree.isChecked(node),
      whole: tree.isWhole(node),
      hasChosen: tree.hasChosen(node),
      open: tree.isOpen(node),
      leaf: tree.isLeaf(node),
    }
  })
}

function listAll(tree: Tree, node: number = ROOT_NODE): string[] {
  const below = tree.children(node).flatMap((child) => listAll(tree, child))
  expect(tree.sizeOf(node)).toBe(below.length + 1)
  return [tree.view(node).key, ...below]
}

/** Nodes that a walk visits. It skips everything below a node for which `enters` returns false. */
function listWalked(tree: Tree, enters: (node: number) => boolean): number[] {
  const seen: number[] = []
  tree.walk(ROOT_NODE, (node) => {
    seen.push(node)
    return enters(node)
  })
  return seen
}

test('a walk skips the nodes below a node whose visit returns false', () => {
  const tree = createTree('-1')
  tree.put(ROOT_NODE, toList([1, 2, 1].map((depth, key) => ({ key, depth, label: 0, complete: true }))), true)
  expect(
    keysOf(
      tree,
      listWalked(tree, () => true),
    ),
  ).toEqual(['-1', 'k0', 'k1', 'k2'])
  expect(
    keysOf(
      tree,
      listWalked(tree, (node) => node === ROOT_NODE),
    ),
  ).toEqual(['-1', 'k0', 'k2'])
})

const sortState = ({ checked, expanded, chosen }: Required<TreeState>): Required<TreeState> => ({
  checked: checked.toSorted(),
  expanded: expanded.toSorted(),
  chosen: chosen.toSorted(),
})

describe('against a naive tree', () => {
  test('any sequence of loads, removals, checks, expansions, restores and searches gives the same rows', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        const tree = createTree('-1')
        const naive = new NaiveTree('-1')
        for (const apply of steps) {
          apply(tree, naive)
          expect(listRows(tree)).toEqual(naive.rows())
          expect(listAll(tree)).toEqual(naive.keys())
          expect(
            keysOf(
              tree,
              listWalked(tree, () => true),
            ),
          ).toEqual(naive.keys())
          expect(keysOf(tree, tree.checked())).toEqual(naive.checked())
          expect(keysOf(tree, tree.covering())).toEqual(naive.covering())
          expect(keysOf(tree, tree.checked()).filter(isChosenIn(tree))).toEqual(naive.chosen())
        }
        const saved = sortState(tree.state())
        tree.restore(saved)
        expect(keysOf(tree, tree.covering())).toEqual(naive.covering())
        expect(sortState(tree.state())).toEqual(saved)
      }),
      { numRuns: 2_000 },
    )
  }, 120_000)
})
