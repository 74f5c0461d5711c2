import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTreeSelection } from '../../shared/tree-selection.ts'
import { useIsMobile } from '../../shared/ui/use-width.ts'
import { checkNode, chooseNode, collapseNodes, openNode } from './tree-actions.ts'
import { computeCovering, isCovered } from './tree-checks.ts'
import { TreeItem, toItemId } from './tree-item.tsx'
import { toKeyAction } from './tree-keys.ts'
import type { TreeModel } from './tree-model.ts'
import type { TreeRow } from './tree-rows.ts'

/** Height of a row, px; a finger needs more of it than a mouse. */
const ROW_PX = 28
const TOUCH_ROW_PX = 40

export interface TreeListProps {
  readonly tree: TreeModel
  readonly rows: readonly TreeRow[]
  readonly loading: ReadonlySet<string>
}

/** The tree's rows, only those in view in the document; one tab stop, arrows move within. */
export function TreeList({ tree, rows, loading }: TreeListProps): ReactNode {
  const { t } = useTranslation('network')
  const scroller = useRef<HTMLDivElement>(null)
  const [focusKey, setFocusKey] = useState<string>()
  const checked = useTreeSelection((selection) => selection.checked)
  const current = useTreeSelection((selection) => selection.current)
  const covering = useMemo(() => new Set(computeCovering(tree, checked)), [tree, checked])
  const rowPx = useIsMobile() ? TOUCH_ROW_PX : ROW_PX
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
  })
  const focusIndex = rows.findIndex((row) => row.node.key === focusKey)
  const moveTo = (index: number) => {
    const row = rows[index]
    if (!row) return
    setFocusKey(row.node.key)
    virtual.scrollToIndex(index)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const action = toKeyAction(event.key, rows, focusIndex)
    if (!action) return
    event.preventDefault()
    const row = rows[focusIndex]
    if (action.kind === 'move') moveTo(action.index)
    else if (!row) return
    else if (action.kind === 'open') void openNode(row.node.key)
    else if (action.kind === 'close') collapseNodes([row.node.key])
    else if (action.kind === 'choose') chooseNode(row.node)
    else checkNode(row.node.key, !checked.has(row.node.key))
  }
  return (
    <div
      className="tree"
      role="tree"
      tabIndex={0}
      ref={scroller}
      aria-label={t('label')}
      aria-multiselectable
      aria-activedescendant={focusKey === undefined ? undefined : toItemId(focusKey)}
      onKeyDown={onKeyDown}
      onFocus={() => focusIndex < 0 && setFocusKey(rows[0]?.node.key)}
      data-testid="tree"
    >
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="presentation">
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index]
          if (!row) return null
          const { key, node } = row.node
          return (
            <TreeItem
              key={key}
              row={row}
              topPx={item.start}
              heightPx={rowPx}
              checked={checked.has(key)}
              whole={isCovered(tree, covering, key)}
              current={current?.key === node}
              focused={focusKey === key}
              loading={loading.has(key)}
              onFocus={setFocusKey}
            />
          )
        })}
      </div>
    </div>
  )
}
