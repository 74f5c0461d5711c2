import { CloseCircleFilled, LoadingOutlined, ReloadOutlined, SearchOutlined } from '@ant-design/icons'
import type { NodeKey } from '@isotherm/contract/tree'
import { ROOT_NODE } from '@isotherm/tree/tree'
import { Button, Tooltip } from 'antd'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { NodeAction } from '../../../shared/node-action.ts'
import type { PageDefinition } from '../../../shared/page.ts'
import { useTreeSelection } from '../../../shared/tree-selection.ts'
import { EmptyState, ErrorState } from '../../../shared/ui/states.tsx'
import { TextField } from '../../../shared/ui/text-field.tsx'
import { TreeList } from '../rows/tree-list.tsx'
import { TreeHits } from '../search/tree-hits.tsx'
import { useTreeSearch } from '../search/use-tree-search.ts'
import { useNetwork } from '../session/network-store.ts'
import { revealHit } from '../session/reveal.ts'
import {
  checkNode,
  chooseNode,
  closeNode,
  loadRest,
  noteTargetShown,
  openNode,
  refreshCurrent,
  setKeyword,
  startTree,
} from '../session/tree-actions.ts'
import { TreeFooter } from './tree-footer.tsx'
import { type OpenTreeMenu, TreeMenu } from './tree-menu.tsx'
import { useNodeHealth } from './use-node-health.ts'
import './tree-panel.css'

interface SearchBoxProps {
  readonly onDown: () => void
}

function SearchBox({ onDown }: SearchBoxProps): ReactNode {
  const { t } = useTranslation('network')
  const keyword = useNetwork((network) => network.keyword)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setKeyword('')
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    onDown()
  }
  return (
    <TextField
      value={keyword}
      onChange={(event) => setKeyword(event.target.value)}
      onKeyDown={onKeyDown}
      placeholder={t('search')}
      aria-label={t('search')}
      icon={<SearchOutlined />}
      end={
        keyword !== '' && (
          <button
            type="button"
            className="bare"
            aria-label={t('clearSearch')}
            title={t('clearSearch')}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setKeyword('')}
          >
            <CloseCircleFilled />
          </button>
        )
      }
      data-testid="tree-search"
    />
  )
}

const noPages: readonly PageDefinition[] = []
const noActions: readonly NodeAction[] = []
const noMarks: ReadonlyMap<NodeKey, string> = new Map()
const toItsPath = (path: string): string => path

export interface TreePanelProps {
  /** Permitted pages that offer themselves for a node, in the order of its menu. */
  readonly nodePages?: readonly PageDefinition[]
  /** What else the menu of a node offers. */
  readonly nodeActions?: readonly NodeAction[]
  /** Nodes of which nothing is notified, and what is to be said of it. */
  readonly silenced?: ReadonlyMap<NodeKey, string>
  /** Where the menu of a node leads for a page: where its tab was left, when it is open. */
  readonly toPageTarget?: (path: string) => string
}

/** Search and tree of the network; what is chosen in it filters the pages. */
export function TreePanel(props: TreePanelProps): ReactNode {
  const { nodePages = noPages, nodeActions = noActions, silenced = noMarks, toPageTarget = toItsPath } = props
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: another user's tree is loaded anew
  useEffect(() => {
    void startTree()
  }, [tree])
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
      <TreeHits search={search} sought={keyword} onChoose={revealHit} onLeave={() => focusOn('input')} />
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
          sought={keyword}
          current={currentKey}
          busy={busy}
          lost={lost}
          health={health}
          silenced={silenced}
          target={target}
          onTargetShown={noteTargetShown}
          onOpen={(node, open) => (open ? openNode(node) : closeNode(node))}
          onChoose={chooseNode}
          onCheck={checkNode}
          onMenu={(node, place) => setMenu({ nodeKey: tree.view(node).key, place })}
          onLoadRest={loadRest}
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
