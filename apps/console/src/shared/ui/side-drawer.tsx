import { Drawer } from 'antd'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { useIsMobile } from '../screen/use-width.ts'

interface SideDrawerProps {
  readonly isWanted: boolean
  readonly title: ReactNode
  readonly widthPx: number
  /** What is beside it waits until it is closed, so that nothing typed in it is lost by a click there. */
  readonly isModal?: boolean
  /** On a phone it comes from below and leaves the upper part of the page in sight. */
  readonly isSheet?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The lower part of a phone's screen. */
const SHEET_HEIGHT = '55%'

/**
 * A drawer at the side; what is beside it, a live table say, stays in use unless it is modal. It opens in an update of
 * its own: the drawer notes itself as open while it is rendered, and one whose rendering begins in a navigation and is
 * given up for something live would stay noted for good, with the page around it.
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
      {/* A drawer without a mask keeps the last element focused in it for good, and with it all it stood in. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus event from the drawer */}
      <div onFocus={(event) => event.stopPropagation()}>{children}</div>
    </Drawer>
  )
}
