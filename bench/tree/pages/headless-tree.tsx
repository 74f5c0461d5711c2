import {
  buildProxiedInstance,
  checkboxesFeature,
  hotkeysCoreFeature,
  searchFeature,
  syncDataLoaderFeature,
  type TreeInstance,
} from '@headless-tree/core'
import { useTree } from '@headless-tree/react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import type { CompanyNode } from '../company.ts'
import { ROW_PX, readRows, TREE_PX, type TreeDriver } from './driver.ts'

interface Item {
  readonly label: string
  readonly children: string[]
}

/** Id of the hidden root above all nodes. */
const TOP = 'top'

let items = new Map<string, Item>()
let tree: TreeInstance<Item> | undefined
let scrollTo: (index: number) => void = () => {}

const dataLoader = {
  getItem: (id: string): Item => items.get(id) ?? { label: '', children: [] },
  getChildren: (id: string): string[] => items.get(id)?.children ?? [],
}

function fill(nodes: readonly CompanyNode[]): void {
  for (const { id, parent, label } of nodes) {
    items.set(id, { label, children: [] })
    items.get(parent === '' ? TOP : parent)?.children.push(id)
  }
}

/**
 * The library's own check of a subtree takes quadratic time, because it searches a list for each node. So this page stores
 * the check of each node itself and checks everything in one pass.
 */
function HeadlessTree({ open }: { readonly open: string }) {
  const scroller = useRef<HTMLDivElement>(null)
  const instance = useTree<Item>({
    rootItemId: TOP,
    dataLoader,
    getItemName: (item) => item.getItemData().label,
    isItemFolder: (item) => item.getItemData().children.length > 0,
    initialState: { expandedItems: [open] },
    propagateCheckedState: false,
    canCheckFolders: true,
    instanceBuilder: buildProxiedInstance,
    features: [syncDataLoaderFeature, hotkeysCoreFeature, searchFeature, checkboxesFeature],
  })
  tree = instance
  const list = instance.getItems()
  const virtual = useVirtualizer({
    count: list.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  })
  scrollTo = (index) => virtual.scrollToIndex(index)
  return (
    <div ref={scroller} className="scroller" style={{ height: TREE_PX, overflow: 'auto' }}>
      <div
        {...instance.getContainerProps('company')}
        style={{ height: virtual.getTotalSize(), position: 'relative' }}
      >
        {virtual.getVirtualItems().map(({ index, start }) => {
          const item = list[index]
          if (!item) return null
          const paddingLeft = item.getItemMeta().level * 14
          return (
            <div
              {...item.getProps()}
              key={item.getId()}
              className="row"
              style={{
                position: 'absolute',
                width: '100%',
                height: ROW_PX,
                transform: `translateY(${start}px)`,
                paddingLeft,
              }}
            >
              <input type="checkbox" {...item.getCheckboxProps()} />
              <span className="label">{item.getItemName()}</span>
            </div>
          )
        })}
      </div>
    </div>
  )
}

let root: Root | undefined
let nodes: readonly CompanyNode[] = []

export const driver: TreeDriver = {
  searchHides: false,
  prepare(company) {
    nodes = company
    items = new Map([[TOP, { label: '', children: [] }]])
    fill(company)
  },
  mount(into) {
    root = createRoot(into)
    root.render(<HeadlessTree open={nodes[0]?.id ?? ''} />)
  },
  unmount() {
    root?.unmount()
    root = undefined
    tree = undefined
    items = new Map()
  },
  expandAll(branches) {
    tree?.applySubStateUpdate('expandedItems', [...branches])
    tree?.rebuildTree()
  },
  checkRoot: () => tree?.setCheckedItems(nodes.map(({ id }) => id)),
  uncheckAll: () => tree?.setCheckedItems([]),
  uncheckLeaf(chain) {
    const path = new Set(chain)
    tree?.applySubStateUpdate('checkedItems', (checked) => checked.filter((each) => !path.has(each)))
  },
  restore: (ids) => tree?.setCheckedItems([...ids]),
  search(text) {
    tree?.setSearch(text)
    const first = tree?.getSearchMatchingItems()[0]
    if (first) scrollTo(first.getItemMeta().index)
  },
  endSearch() {
    tree?.setSearch(null)
    scrollTo(0)
  },
  addChildren(chain, children) {
    fill(children)
    tree?.applySubStateUpdate('expandedItems', (expanded) => [...expanded, chain.at(-1) ?? ''])
    tree?.rebuildTree()
  },
  readVisibleRows: (into) =>
    readRows(into, '.row', '.label', (row) => row.querySelector('input')?.checked ?? false),
  findScroller: (into) => into.querySelector('.scroller'),
}
