import { Dropdown, type MenuProps } from 'antd'
import { type ReactNode, useEffect } from 'react'

/** A place in the window, px from its left and upper edge. */
export interface MenuPlace {
  readonly leftPx: number
  readonly topPx: number
}

export interface MenuAtProps {
  /** Key of the menu's subject; a new key creates a new menu. */
  readonly of: string
  readonly place: MenuPlace
  readonly items: MenuProps['items']
  readonly onClose: () => void
}

// At least 1 px: the library places a menu only beside an element that has a size.
const SPOT_PX = 1
/** Space between a long menu and the edge of the window. */
const EDGE_PX = 12

/** A menu at a place; it takes the focus. Escape, a click elsewhere or a change of window closes it. */
export function MenuAt({ of, place: { leftPx, topPx }, items, onClose }: MenuAtProps): ReactNode {
  useEffect(() => {
    window.addEventListener('blur', onClose)
    return () => window.removeEventListener('blur', onClose)
  }, [onClose])
  // A menu that is longer than the larger side of its place scrolls.
  const maxHeight = Math.max(topPx, window.innerHeight - topPx) - EDGE_PX
  return (
    <Dropdown
      key={`${of} ${leftPx} ${topPx}`}
      open
      autoFocus
      trigger={['click']}
      menu={{ items: items ?? [], style: { maxHeight, overflowY: 'auto' } }}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <span
        style={{
          position: 'fixed',
          left: leftPx,
          top: topPx,
          width: SPOT_PX,
          height: SPOT_PX,
          pointerEvents: 'none',
        }}
      />
    </Dropdown>
  )
}
