import { Drawer } from 'antd'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { useIsMobile } from '../screen/use-width.ts'

interface SideDrawerProps {
  readonly isWanted: boolean
  readonly title: ReactNode
  readonly widthPx: number
  /** Blocks the page while it is open, so that a click beside it does not lose typed text. */
  readonly isModal?: boolean
  /** On a phone it opens from below and leaves the upper part of the page visible. */
  readonly isSheet?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Height on a phone. */
const SHEET_HEIGHT = '55%'

/**
 * A drawer at the side. The page beside it stays usable unless the drawer is modal. It opens in a separate update, because
 * antd registers a drawer during rendering: if a navigation discards that render, the drawer would stay registered forever.
 */
export function SideDrawer(props: SideDrawerProps) {
  const { isWanted, title, widthPx, isModal = false, isSheet = false, onClose, children } = props
  const isMobile = useIsMobile()
  const isBelow = isSheet && isMobile
  const [isOpen, setOpen] = useState(false)
  useLayoutEffect(() => setOpen(isWanted), [isWanted])
  return (
    <Drawer
      open={isOpen}
      onClose={onClose}
      title={title}
      placement={isBelow ? 'bottom' : 'right'}
      size={isBelow ? SHEET_HEIGHT : isMobile ? '100%' : widthPx}
      mask={isModal ? { closable: false } : isMobile && !isBelow}
      destroyOnHidden
    >
      {/* A drawer without a mask stores its last focused element, which would keep the whole content in memory. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus event from the drawer */}
      <div onFocus={(event) => event.stopPropagation()}>{children}</div>
    </Drawer>
  )
}
