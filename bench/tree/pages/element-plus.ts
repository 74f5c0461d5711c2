import { ElTreeV2, type TreeV2Instance } from 'element-plus'
import 'element-plus/theme-chalk/base.css'
import 'element-plus/theme-chalk/el-tree.css'
import 'element-plus/theme-chalk/el-checkbox.css'
import 'element-plus/theme-chalk/el-virtual-list.css'
import { type App, createApp, h, shallowRef } from 'vue'
import { clickOn, ROW_PX, readRows, TREE_PX, type TreeDriver } from './driver.ts'
import { type NestedNode, nest, withChildren } from './nested.ts'

const tree = shallowRef<TreeV2Instance>()
let app: App | undefined
let host: HTMLElement | undefined
let rootId = ''
let branches: readonly string[] = []
let data: NestedNode[] = []

export const driver: TreeDriver = {
  searchHides: true,
  prepare(company) {
    data = [...nest(company)]
    rootId = company[0]?.id ?? ''
  },
  mount(into) {
    host = into
    const options = {
      data,
      ref: tree,
      height: TREE_PX,
      itemSize: ROW_PX,
      showCheckbox: true,
      props: { value: 'id', label: 'label', children: 'children' },
      defaultExpandedKeys: [rootId],
      filterMethod: (text: string, node: Record<string, unknown>) => String(node.label).includes(text),
    }
    app = createApp({ render: () => h(ElTreeV2, options) })
    app.mount(into)
  },
  unmount() {
    app?.unmount()
    app = undefined
    data = []
  },
  expandAll(ids) {
    branches = ids
    tree.value?.setExpandedKeys([...ids])
  },
  checkRoot: () => host && clickOn(host, '.el-checkbox__original'),
  uncheckAll: () => tree.value?.setCheckedKeys([]),
  uncheckLeaf(chain) {
    const index = chain.length - 1
    if (host) clickOn(host, '.el-checkbox__original', index)
  },
  restore: (ids) => tree.value?.setCheckedKeys([...ids]),
  search: (text) => tree.value?.filter(text),
  endSearch() {
    tree.value?.filter('')
    tree.value?.setExpandedKeys([...branches])
  },
  addChildren(chain, children) {
    data = [...withChildren(data, chain, nest(children))]
    tree.value?.setData(data)
    const opened = tree.value?.getNode(chain.at(-1) ?? '')
    if (opened) tree.value?.expandNode(opened)
  },
  readVisibleRows: (into) =>
    readRows(into, '.el-tree-node', '.el-tree-node__label', (row) => row.classList.contains('is-checked')),
  findScroller: (into) => into.querySelector('.el-tree-virtual-list'),
}
