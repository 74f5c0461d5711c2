import { Drawer } from 'antd'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { useIsMobile } from '../../shared/ui/use-width.ts'

interface SideDrawerProps {
  readonly isWanted: boolean
  readonly title: ReactNode
  readonly widthPx: number
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A drawer beside a live table, which stays in use. It opens in an update of its own: the drawer notes itself as open
 * while it is rendered, and one whose rendering begins in a navigation and is given up for a live reading would stay
 * noted for good, with the page around it.
 */
export function SideDrawer({ isWanted, title, widthPx, onClose, children }: SideDrawerProps) {
  const isMobile = useIsMobile()
  const [isOpen, setOpen] = useState(false)
  useLayoutEffect(() => setOpen(isWanted), [isWanted])
  return (
    <Drawer
      open={isOpen}
      onClose={onClose}
      title={title}
      size={isMobile ? '100%' : widthPx}
      mask={isMobile}
      destroyOnHidden
    >
      {/* A drawer without a mask keeps the last element focused in it for good, and with it all it stood in. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus event from the drawer */}
      <div onFocus={(event) => event.stopPropagation()}>{children}</div>
    </Drawer>
  )
}
