import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_SIDE_PX, MIN_SIDE_PX, moveByKey, SIDE_WIDTH_PX, toSideWidth } from './side-width.ts'

interface SideEdgeProps {
  readonly widthPx: number
  /** Called while the edge is dragged. `settled` is true when it is released or moved by a key. */
  readonly onMove: (widthPx: number, settled: boolean) => void
}

/** Edge of the tree panel, for changing its width. Drag or arrow keys move it; a double-click or Enter resets it. */
export function SideEdge({ widthPx, onMove }: SideEdgeProps): ReactNode {
  const { t } = useTranslation('common')
  const toWidth = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) =>
    toSideWidth(clientX - (currentTarget.parentElement?.getBoundingClientRect().left ?? 0))
  const isHeld = ({ currentTarget, pointerId }: PointerEvent<HTMLElement>) =>
    currentTarget.hasPointerCapture(pointerId)
  const start = (event: PointerEvent<HTMLElement>) => {
    if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId)
  }
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (isHeld(event)) onMove(toWidth(event), false)
  }
  const end = (event: PointerEvent<HTMLElement>) => {
    if (!isHeld(event)) return
    event.currentTarget.releasePointerCapture(event.pointerId)
    onMove(widthPx, true)
  }
  const move = (event: KeyboardEvent) => {
    const moved = moveByKey(widthPx, event.key)
    if (moved === undefined) return
    event.preventDefault()
    onMove(moved, true)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr takes no focus; this is the window splitter of ARIA
    <div
      role="separator"
      className="side-edge"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('navbar.treeWidth')}
      aria-valuenow={widthPx}
      aria-valuemin={MIN_SIDE_PX}
      aria-valuemax={MAX_SIDE_PX}
      title={t('navbar.treeWidthHint')}
      onPointerDown={start}
      onPointerMove={drag}
      onPointerUp={end}
      onDoubleClick={() => onMove(SIDE_WIDTH_PX, true)}
      onKeyDown={move}
      data-testid="side-edge"
    />
  )
}
