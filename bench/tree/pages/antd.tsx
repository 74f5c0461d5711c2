import { Tree } from 'antd'
import type { BasicDataNode } from 'antd/es/tree'
import { type Key, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { clickOn, ROW_PX, readRows, TREE_PX, type TreeDriver } from './driver.ts'
import { filterNested, type NestedNode, nest, withChildren } from './nested.ts'

interface State {
  readonly data: readonly NestedNode[]
  readonly expanded: readonly Key[]
  readonly checked: readonly Key[]
}

let change: (part: Partial<State>) => void = () => {}
let current: State = { data: [], expanded: [], checked: [] }

/** A node of antd's tree with the field names of our nodes. */
interface AntNode extends BasicDataNode {
  readonly id: string
  readonly label: string
  children?: AntNode[]
}

const fieldNames = { key: 'id', title: 'label', children: 'children' }

function AntTree({ first }: { readonly first: State }) {
  const [state, setState] = useState(first)
  current = state
  change = (part) => setState((before) => ({ ...before, ...part }))
  return (
    <Tree<AntNode>
      checkable
      virtual
      motion={false}
      height={TREE_PX}
      itemHeight={ROW_PX}
      fieldNames={fieldNames}
      treeData={[...state.data]}
      expandedKeys={[...state.expanded]}
      checkedKeys={[...state.checked]}
      onExpand={(expanded) => change({ expanded })}
      onCheck={(checked) => Array.isArray(checked) && change({ checked })}
    />
  )
}

let root: Root | undefined
let host: HTMLElement | undefined
let whole: State = current

export const driver: TreeDriver = {
  searchHides: true,
  prepare(company) {
    whole = { data: nest(company), expanded: [company[0]?.id ?? ''], checked: [] }
  },
  mount(into) {
    host = into
    root = createRoot(into)
    root.render(<AntTree first={whole} />)
  },
  unmount() {
    root?.unmount()
    root = undefined
    whole = { data: [], expanded: [], checked: [] }
    current = whole
  },
  expandAll: (expanded) => change({ expanded }),
  checkRoot: () => host && clickOn(host, '.ant-tree-checkbox'),
  uncheckAll: () => change({ checked: [] }),
  uncheckLeaf(chain) {
    const index = chain.length - 1
    if (host) clickOn(host, '.ant-tree-list-holder .ant-tree-checkbox', index)
  },
  restore: (checked) => change({ checked }),
  search(text) {
    whole = current
    const open: string[] = []
    const data = filterNested(current.data, text, open)
    change({ data, expanded: open })
  },
  endSearch: () => change({ data: whole.data, expanded: whole.expanded }),
  addChildren(chain, children) {
    const data = withChildren(current.data, chain, nest(children))
    change({ data, expanded: [...current.expanded, chain.at(-1) ?? ''] })
  },
  readVisibleRows: (into) =>
    readRows(into, '.ant-tree-list-holder .ant-tree-treenode', '.ant-tree-title', (row) =>
      row.classList.contains('ant-tree-treenode-checkbox-checked'),
    ),
  findScroller: (into) => into.querySelector('.ant-tree-list-holder'),
}
