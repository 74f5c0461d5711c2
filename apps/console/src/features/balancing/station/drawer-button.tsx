import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'

const WIDTH_PX = 420

interface DrawerButtonProps {
  readonly label: string
  readonly title: string
  readonly testId: string
  readonly widthPx?: number
  readonly children: ReactNode
}

/** Button that opens a drawer about a station. */
export function DrawerButton({ label, title, testId, widthPx = WIDTH_PX, children }: DrawerButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button data-testid={testId} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <SideDrawer isWanted={isOpen} title={title} widthPx={widthPx} onClose={() => setOpen(false)}>
        {children}
      </SideDrawer>
    </>
  )
}
