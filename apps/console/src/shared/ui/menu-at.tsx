import { Dropdown, type MenuProps } from 'antd'
import { type ReactNode, useEffect } from 'react'

/** A place in the window, px from its left and upper edge. */
export interface MenuPlace {
  readonly leftPx: number
  readonly topPx: number
}

export interface MenuAtProps {
  /** What the menu is of: another one is a new menu, wherever it stands. */
  readonly of: string
  readonly place: MenuPlace
  readonly items: MenuProps['items']
  readonly onClose: () => void
}

// Not quite nothing: a menu is placed only beside what has a size.
const SPOT_PX = 1

/** An open menu where it was asked for, with the focus; Escape, a click elsewhere or another window closes it. */
export function MenuAt({ of, place: { leftPx, topPx }, items, onClose }: MenuAtProps): ReactNode {
  useEffect(() => {
    window.addEventListener('blur', onClose)
    return () => window.removeEventListener('blur', onClose)
  }, [onClose])
  return (
    <Dropdown
      key={`${of} ${leftPx} ${topPx}`}
      open
      autoFocus
      trigger={['click']}
      menu={{ items: items ?? [] }}
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
