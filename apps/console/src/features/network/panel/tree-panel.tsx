import { LoadingOutlined, ReloadOutlined } from '@ant-design/icons'
import type { NodeKey } from '@isotherm/contract/tree'
import { ROOT_NODE } from '@isotherm/tree/tree'
import { Button, Tooltip } from 'antd'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { NodeAction } from '../../../shared/nodes/node-action.ts'
import { openTreeEdit } from '../../../shared/nodes/tree-edit.ts'
import { useTreeSelection } from '../../../shared/nodes/tree-selection.ts'
import type { PageDefinition } from '../../../shared/page.ts'
import { EmptyState, ErrorState } from '../../../shared/ui/states.tsx'
import { useMayArrange } from '../edit/node-record.ts'
import { toSelected } from '../load/describe-node.ts'
import { TreeList } from '../rows/tree-list.tsx'
import { TreeHits } from '../search/tree-hits.tsx'
import { useTreeSearch } from '../search/use-tree-search.ts'
import { useNetwork } from '../session/network-store.ts'
import { revealHit } from '../session/reveal.ts'
import {
  checkNode,
  chooseNode,
  clearTarget,
  closeNode,
  loadRest,
  openNode,
  refreshCurrent,
  startTree,
} from '../session/tree-actions.ts'
import { SearchBox } from './search-box.tsx'
import { TreeFooter } from './tree-footer.tsx'
import { type OpenTreeMenu, TreeMenu } from './tree-menu.tsx'
import { useNodeHealth } from './use-node-health.ts'
import './tree-panel.css'

const noPages: readonly PageDefinition[] = []
const noActions: readonly NodeAction[] = []
const noMarks: ReadonlyMap<NodeKey, string> = new Map()
const toSamePath = (path: string): string => path

export interface TreePanelProps {
  /** Permitted pages that may be opened for a node, in menu order. */
  readonly nodePages?: readonly PageDefinition[]
  /** Actions of other features in the node menu. */
  readonly nodeActions?: readonly NodeAction[]
  /** Silenced nodes with their tooltip text. */
  readonly silenced?: ReadonlyMap<NodeKey, string>
  /** The address for a page path: its open tab, if any. */
  readonly toPageTarget?: (path: string) => string
}

/** Search and tree of the network. Its selection filters the pages. */
export function TreePanel(props: TreePanelProps): ReactNode {
  const {
    nodePages = noPages,
    nodeActions = noActions,
    silenced = noMarks,
    toPageTarget = toSamePath,
  } = props
  const { t } = useTranslation('network')
  const { failure, keyword, busy, lost, currentKey, target } = useNetwork()
  const tree = useTreeSelection((selection) => selection.tree)
  const hasNodes = useSyncExternalStore(tree.subscribe, () => tree.count() > 1 || tree.isComplete(ROOT_NODE))
  const isNothingFound = useSyncExternalStore(
    tree.subscribe,
    () => hasNodes && keyword.trim() !== '' && tree.rows().count <= 1,
  )
  const [menu, setMenu] = useState<OpenTreeMenu>()
  const panel = useRef<HTMLDivElement>(null)
  const search = useTreeSearch(keyword)
  const { health, onShow } = useNodeHealth(tree)
  const mayArrange = useMayArrange()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree of another user must be loaded
  useEffect(() => void startTree(), [tree])
  const focusOn = (selector: string) => {
    const element = panel.current?.querySelector(selector)
    if (element instanceof HTMLElement) element.focus()
    return element !== null
  }
  return (
    <div className="tree-panel" ref={panel}>
      <div className="tree-tools">
        <SearchBox onDown={() => focusOn('.tree-hit') || focusOn('[role="tree"]')} />
        <Tooltip title={t('reload')}>
          <Button
            type="text"
            icon={<ReloadOutlined spin={busy.size > 0} />}
            aria-label={t('reload')}
            onClick={refreshCurrent}
            data-testid="tree-reload"
          />
        </Tooltip>
      </div>
      <TreeHits search={search} searchText={keyword} onChoose={revealHit} onLeave={() => focusOn('input')} />
      {failure !== undefined && !tree.isComplete(ROOT_NODE) && (
        <ErrorState error={failure} onRetry={() => void startTree()} />
      )}
      {failure === undefined && !hasNodes && (
        <div className="tree-loading" role="status">
          <LoadingOutlined /> {t('loading')}
        </div>
      )}
      {isNothingFound && (search.hits?.length ?? 0) === 0 && <EmptyState title={t('noMatch')} />}
      {hasNodes && !isNothingFound && (
        <TreeList
          tree={tree}
          searchText={keyword}
          current={currentKey}
          busy={busy}
          lost={lost}
          health={health}
          silenced={silenced}
          target={target}
          onTargetShown={clearTarget}
          onOpen={(node, open) => (open ? openNode(node) : closeNode(node))}
          onChoose={chooseNode}
          onCheck={checkNode}
          onMenu={(node, place) => setMenu({ nodeKey: tree.view(node).key, place })}
          onLoadRest={loadRest}
          {...(mayArrange && {
            onEdit: (node, kind) => {
              const { key, label } = toSelected(tree, node)
              openTreeEdit({ kind, node: key, name: label || t('root') })
            },
            onMove: (node, to) => {
              const { key, label } = toSelected(tree, node)
              const { key: parent, label: name, nestaddr = name } = toSelected(tree, to)
              openTreeEdit({ kind: 'move', node: key, name: label, target: { key: parent, nestaddr } })
            },
          })}
          onShow={onShow}
        />
      )}
      {menu && (
        <TreeMenu
          tree={tree}
          open={menu}
          nodePages={nodePages}
          nodeActions={nodeActions}
          toPageTarget={toPageTarget}
          onClose={() => {
            setMenu(undefined)
            focusOn('[role="tree"]')
          }}
        />
      )}
      <TreeFooter />
    </div>
  )
}
