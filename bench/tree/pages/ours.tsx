import { createTree, type NodeList, ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import { createRoot, type Root } from 'react-dom/client'
import { loadTexts } from '../../../apps/console/src/app/locales.ts'
import { TreeList } from '../../../apps/console/src/features/network/rows/tree-list.tsx'
import { startI18n } from '../../../apps/console/src/shared/i18n/i18n.ts'
import type { CompanyNode } from '../company.ts'
import { clickOn, readRows, TREE_PX, type TreeDriver } from './driver.ts'

/** Depth of each level of the product's tree in the generated company. */
const DEPTHS = [0, 1, 2, 0, 0, 3, 4, 5, 6, 7]

/** Converts the nodes from an index on to the input of the model. */
function toNodeList(nodes: readonly CompanyNode[], from: number, above: number): NodeList {
  const count = nodes.length - from
  // Allocated at full length, because a growing array of half a million texts is copied many times.
  const keys = new Array<string>(count).fill('')
  const labels = new Array<string>(count).fill('')
  const depths = new Uint8Array(count)
  const levels = new Uint8Array(count)
  for (let index = 0; index < count; index += 1) {
    const node = nodes[from + index]
    if (!node) continue
    keys[index] = node.id
    labels[index] = node.label
    depths[index] = (DEPTHS[node.level] ?? 0) - above
    levels[index] = node.level
  }
  return {
    keys,
    labels,
    depths,
    levels,
    kinds: new Uint8Array(count),
    complete: new Uint8Array(count).fill(1),
  }
}

let list: NodeList | undefined
let tree: Tree = createTree('-1')
let expanded: readonly string[] = []
let root: Root | undefined
let host: HTMLElement | undefined

const ignore = (): void => {}

/** The tree list in the size of the console's panel. */
function Panel() {
  return (
    <div className="tree-panel" style={{ height: TREE_PX }}>
      <TreeList
        tree={tree}
        onOpen={(node, open) => tree.expand(node, open)}
        onChoose={ignore}
        onCheck={(node, on) => tree.check(node, on)}
        onMenu={ignore}
        onLoadRest={ignore}
        onShow={ignore}
      />
    </div>
  )
}

export const driver: TreeDriver = {
  searchHides: true,
  start: () => startI18n(loadTexts),
  prepare(nodes) {
    list = toNodeList(nodes, 1, 0)
  },
  mount(into) {
    host = into
    tree = createTree('-1')
    if (list) tree.put(ROOT_NODE, list, true)
    list = undefined
    root = createRoot(into)
    root.render(<Panel />)
  },
  unmount() {
    root?.unmount()
    root = undefined
    tree = createTree('-1')
  },
  expandAll(ids) {
    expanded = ids
    tree.expandAll(true)
  },
  checkRoot: () => host && clickOn(host, '.tree-check'),
  uncheckAll: () => tree.check(ROOT_NODE, false),
  uncheckLeaf(chain) {
    if (host) clickOn(host, '.tree-check', chain.length - 1)
  },
  /** The console restores checked and expanded nodes after a reload, so this does both. */
  restore: (checked) => tree.restore({ checked, expanded }),
  search: (text) => tree.search(text),
  endSearch: () => tree.search(''),
  addChildren(chain, children) {
    const parent = tree.find(chain.at(-1) ?? '')
    if (parent === undefined) return
    tree.batch(() => {
      tree.put(parent, toNodeList(children, 0, chain.length - 1), true)
      tree.expand(parent, true)
    })
  },
  readVisibleRows: (into) =>
    readRows(into, '[role="treeitem"]', '.tree-label', (row) => row.getAttribute('aria-checked') === 'true'),
  findScroller: (into) => into.querySelector('[role="tree"]'),
}
