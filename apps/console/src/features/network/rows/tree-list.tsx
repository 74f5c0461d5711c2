import type { NodeHealth } from '@isotherm/contract/endpoints/network/tree'
import { NO_NODE, type NodeNumber, ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import {
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useTranslation } from 'react-i18next'
import { useIsMobile } from '../../../shared/screen/use-width.ts'
import type { MenuPlace } from '../../../shared/ui/menu-at.tsx'
import { toServerKey } from '../lists/node-keys.ts'
import { isPart } from '../lists/node-parts.ts'
import { TreeRow } from './tree-row.tsx'
import { useRowTexts } from './use-row-texts.ts'
import { useRowWindow } from './use-row-window.ts'
import { isMovable, useTreeDrag } from './use-tree-drag.ts'
import { useTreeKeys } from './use-tree-keys.ts'
import { useTreePointer } from './use-tree-pointer.ts'
import './tree.css'
import './tree-marks.css'

/** Row height, px; larger for fingers than for a mouse. */
const ROW_PX = 28
const TOUCH_ROW_PX = 40

export interface TreeListProps {
  readonly tree: Tree
  /** Search text, highlighted in the labels. */
  readonly searchText?: string
  /** Key of the current row. */
  readonly current?: string | undefined
  /** Keys of nodes whose children are loading. */
  readonly busy?: ReadonlySet<string>
  /** Keys of nodes whose children could not be loaded. */
  readonly lost?: ReadonlySet<string>
  /** Health by server key. */
  readonly health?: ReadonlyMap<string, NodeHealth>
  /** Tooltip texts of silenced nodes by server key. */
  readonly silenced?: ReadonlyMap<string, string>
  /** A row to bring into view and focus, once per object. */
  readonly target?: { readonly key: string } | undefined
  /** Called when the target is in view. */
  readonly onTargetShown?: () => void
  readonly onOpen: (node: NodeNumber, open: boolean) => void
  readonly onChoose: (node: NodeNumber) => void
  readonly onCheck: (node: NodeNumber, on: boolean) => void
  readonly onMenu?: (node: NodeNumber, place: MenuPlace) => void
  readonly onLoadRest?: (node: NodeNumber) => void
  /** The user pressed the key for editing a node. */
  readonly onEdit?: (node: NodeNumber, kind: 'add' | 'edit' | 'remove') => void
  /** The user dropped a node on its new parent; rows can be dragged only with this. */
  readonly onMove?: (node: NodeNumber, target: NodeNumber) => void
  /** Called with the rendered nodes after they changed. */
  readonly onShow?: (nodes: readonly NodeNumber[]) => void
}

const none: ReadonlySet<string> = new Set()

/** The focused row. The key verifies that the number was not reused. */
export interface RowFocus {
  readonly node: NodeNumber
  readonly key: string
}

/** True if there is a focus and its number was not reused. */
const isAt = (tree: Tree, focus: RowFocus | undefined): focus is RowFocus =>
  focus !== undefined && tree.view(focus.node).key === focus.key

/** The rows of the tree. Only visible rows are rendered. One tab stop; keys move inside. Uses no server. */
export function TreeList(props: TreeListProps): ReactNode {
  const { tree, busy = none, lost = none, searchText = '', target } = props
  useSyncExternalStore(tree.subscribe, tree.version)
  const { t } = useTranslation('network')
  const prefix = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [focus, setFocus] = useState<RowFocus>()
  const rowPx = useIsMobile() ? TOUCH_ROW_PX : ROW_PX
  const rows = tree.rows()
  const window = useRowWindow(scroller, rows.count, rowPx)
  const texts = useRowTexts()
  const focused = isAt(tree, focus) ? focus.node : NO_NODE

  const moveTo = (row: number, align?: 'nearest' | 'center'): void => {
    const node = rows.at(row)
    setFocus({ node, key: tree.view(node).key })
    window.showRow(row, align)
  }
  const openMenu = (node: NodeNumber, place?: MenuPlace): void => {
    const box = document.getElementById(`${prefix}${node}`)?.getBoundingClientRect()
    props.onMenu?.(node, place ?? { leftPx: (box?.left ?? 0) + 40, topPx: box?.bottom ?? 0 })
  }
  const onKeyDown = useTreeKeys({ ...props, focused, pageRows: window.pageRows, moveTo, openMenu })
  const pointer = useTreePointer({
    ...props,
    openMenu,
    focusOn: (node) => setFocus({ node, key: tree.view(node).key }),
  })

  const drag = useTreeDrag({ tree, onMove: props.onMove })

  const showTarget = useEffectEvent(({ key }: { readonly key: string }) => {
    const node = tree.find(key)
    const row = node === undefined ? -1 : tree.rows().indexOf(node)
    props.onTargetShown?.()
    if (row < 0) return
    moveTo(row, 'center')
    scroller.current?.focus({ preventScroll: true })
  })
  useEffect(() => {
    if (target) showTarget(target)
  }, [target])

  const { first, last } = window
  const shown = Array.from({ length: last - first }, (_, index) => rows.at(first + index))
  const shownText = shown.join()
  const reportShown = useEffectEvent(() => props.onShow?.(shown))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text represents the shown nodes
  useEffect(() => reportShown(), [shownText])

  const isFocusShown = shown.includes(focused)
  return (
    <div
      className="tree"
      role="tree"
      tabIndex={0}
      ref={scroller}
      aria-label={t('label')}
      aria-multiselectable
      aria-busy={busy.size > 0}
      aria-activedescendant={isFocusShown ? `${prefix}${focused}` : undefined}
      onKeyDown={onKeyDown}
      onScroll={window.onScroll}
      onFocus={() =>
        setFocus((before) =>
          isAt(tree, before) ? before : { node: ROOT_NODE, key: tree.view(ROOT_NODE).key },
        )
      }
      {...pointer}
      {...drag}
      data-testid="tree"
    >
      <div className="tree-content" style={{ height: window.contentPx }} role="presentation">
        <div
          className="tree-window"
          style={{ transform: `translateY(${window.basePx}px)` }}
          role="presentation"
        >
          {shown.map((node) => {
            const { key, label, depth, level, kind } = tree.view(node)
            const isOpen = tree.isOpen(node)
            const isBusy = busy.has(key)
            const canLoad = isOpen && !isBusy && props.onLoadRest !== undefined
            const isLost = canLoad && lost.has(key)
            const checked = tree.isChecked(node) && tree.hasChosen(node)
            const serverKey = toServerKey(key)
            const health = props.health?.get(serverKey)
            return (
              <TreeRow
                key={key}
                id={`${prefix}${node}`}
                node={node}
                nodeKey={key}
                label={node === ROOT_NODE ? t('root') : label}
                searchText={tree.isMatch(node) ? searchText.trim() : ''}
                depth={depth}
                {...tree.place(node)}
                check={!checked ? 'off' : tree.isWhole(node) ? 'on' : 'part'}
                branch={tree.isLeaf(node) ? 'none' : isOpen ? 'open' : 'closed'}
                busy={isBusy}
                current={key === props.current}
                focused={node === focused}
                levelText={texts.level(level, kind)}
                devices={health && health.devCount > 0 ? texts.devices(health) : undefined}
                health={health?.health}
                healthText={health ? texts.health(health) : ''}
                silencedText={props.silenced?.get(serverKey)}
                lostText={isLost ? t('loadAgain') : undefined}
                restText={canLoad && !isLost && isPart(tree, node) ? t('loadRest') : undefined}
                menuText={t('menu.label')}
                movable={props.onMove !== undefined && isMovable(tree, node)}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}
