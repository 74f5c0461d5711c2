import { ApartmentOutlined } from '@ant-design/icons'
import { Button, Drawer } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TreePanel } from '../../features/network/tree-panel.tsx'
import { useSession } from '../../shared/session/session-store.ts'
import { useIsMobile } from '../../shared/ui/use-width.ts'
import { SideEdge } from './side-edge.tsx'
import { keepSideWidth, readSideWidth } from './side-width.ts'
import { showTreeDrawer, toggleSidebar, useSidebar } from './sidebar-store.ts'

function OpenSide(): ReactNode {
  const userId = useSession((session) => session.user?.id)
  const [chosen, setChosen] = useState<number>()
  const widthPx = chosen ?? readSideWidth(localStorage, userId)
  const move = (px: number, settled: boolean) => {
    setChosen(px)
    if (settled) keepSideWidth(localStorage, userId, px)
  }
  return (
    <aside className="side" style={{ width: widthPx }}>
      <TreePanel />
      <SideEdge widthPx={widthPx} onMove={move} />
    </aside>
  )
}

/** 54 px: only the way back to the tree. */
function CollapsedSide(): ReactNode {
  const { t } = useTranslation('common')
  return (
    <aside className="side side-collapsed">
      <Button
        type="text"
        icon={<ApartmentOutlined />}
        aria-label={t('navbar.expandTree')}
        title={t('navbar.expandTree')}
        onClick={toggleSidebar}
      />
    </aside>
  )
}

function SideDrawer(): ReactNode {
  const { t } = useTranslation('common')
  const { treeDrawer } = useSidebar()
  return (
    <Drawer
      open={treeDrawer}
      onClose={() => showTreeDrawer(false)}
      placement="left"
      size={320}
      title={t('navbar.tree')}
      styles={{ body: { padding: 0 } }}
    >
      <TreePanel />
    </Drawer>
  )
}

/** The tree beside the page: open, collapsed, or on a narrow screen a drawer over it. */
export function Side(): ReactNode {
  const mobile = useIsMobile()
  const { open } = useSidebar()
  if (mobile) return <SideDrawer />
  return open ? <OpenSide /> : <CollapsedSide />
}
