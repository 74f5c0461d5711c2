import { createRef, type RefObject, useState } from 'react'
import { type NodeRendererProps, Tree, type TreeApi } from 'react-arborist'
import { createRoot, type Root } from 'react-dom/client'
import { ROW_PX, readRows, TREE_PX, TREE_WIDTH_PX, type TreeDriver } from './driver.ts'
import { type NestedNode, nest, withChildren } from './nested.ts'

let setData: (data: readonly NestedNode[]) => void = () => {}
let setTerm: (term: string) => void = () => {}

/** react-arborist has no check boxes, so a selected row counts as checked. */
function Row({ node, style }: NodeRendererProps<NestedNode>) {
  return (
    <div style={style}>
      <input type="checkbox" checked={node.isSelected} readOnly />
      <span className="label">{node.data.label}</span>
    </div>
  )
}

const matches = (node: { readonly data: NestedNode }, term: string): boolean => node.data.label.includes(term)

interface Props {
  readonly first: readonly NestedNode[]
  readonly open: string
  readonly api: RefObject<TreeApi<NestedNode> | null>
}

function ArboristTree({ first, open, api }: Props) {
  const [data, changeData] = useState(first)
  const [term, changeTerm] = useState('')
  const [initialOpenState] = useState({ [open]: true })
  setData = changeData
  setTerm = changeTerm
  return (
    <Tree
      ref={(tree) => {
        api.current = tree ?? null
      }}
      data={data}
      openByDefault={false}
      initialOpenState={initialOpenState}
      width={TREE_WIDTH_PX}
      height={TREE_PX}
      rowHeight={ROW_PX}
      disableDrag
      disableDrop
      searchTerm={term}
      searchMatch={matches}
    >
      {Row}
    </Tree>
  )
}

const api = createRef<TreeApi<NestedNode>>()
let root: Root | undefined
let data: readonly NestedNode[] = []

export const driver: TreeDriver = {
  searchHides: true,
  prepare(company) {
    data = nest(company)
  },
  mount(into) {
    root = createRoot(into)
    root.render(<ArboristTree first={data} open={data[0]?.id ?? ''} api={api} />)
  },
  unmount() {
    root?.unmount()
    root = undefined
    data = []
  },
  expandAll: () => api.current?.openAll(),
  openChain(chain) {
    for (const id of chain) api.current?.open(id)
  },
  checkRoot: () => api.current?.selectAll(),
  uncheckAll: () => api.current?.deselectAll(),
  uncheckLeaf: (chain) => api.current?.deselect(chain.at(-1) ?? ''),
  restore: (ids) => api.current?.setSelection({ ids: [...ids], anchor: null, mostRecent: null }),
  search: (text) => setTerm(text),
  endSearch: () => setTerm(''),
  addChildren(chain, children) {
    data = withChildren(data, chain, nest(children))
    setData(data)
    // The node is a branch only after the next render.
    requestAnimationFrame(() => api.current?.open(chain.at(-1) ?? ''))
  },
  readVisibleRows: (into) =>
    readRows(into, '[role="treeitem"]', '.label', (row) => row.querySelector('input')?.checked ?? false),
  findScroller: (into) => into.querySelector('[role="tree"] > div'),
}
