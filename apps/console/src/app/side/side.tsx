import { ApartmentOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LazyPart } from '../../shared/lazy/lazy-part.tsx'
import { useIsMobile } from '../../shared/screen/use-width.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { closeDrawers, toggleSidebar, useSidebar } from '../state/sidebar-store.ts'
import { SideEdge } from './side-edge.tsx'
import { SideTree } from './side-tree.tsx'
import { readSideWidth, storeSideWidth } from './side-width.ts'
import './side.css'

// Load the code of the drawers only on a narrow screen.
const loadDrawer = () => import('./tree-drawer.tsx')

function OpenSide(): ReactNode {
  const userId = useSession((session) => session.user?.id)
  const [chosen, setChosen] = useState<number>()
  const widthPx = chosen ?? readSideWidth(localStorage, userId)
  const move = (px: number, settled: boolean) => {
    setChosen(px)
    if (settled) storeSideWidth(localStorage, userId, px)
  }
  return (
    <aside className="side" style={{ width: widthPx }}>
      <SideTree />
      <SideEdge widthPx={widthPx} onMove={move} />
    </aside>
  )
}

/** Collapsed panel of 54 px with the button that opens the tree. */
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

/** The tree panel: open, collapsed, or a drawer on a narrow screen. */
export function Side(): ReactNode {
  const mobile = useIsMobile()
  const { open, treeDrawer } = useSidebar()
  if (mobile) return <LazyPart wanted={treeDrawer} load={loadDrawer} onFailed={closeDrawers} />
  return open ? <OpenSide /> : <CollapsedSide />
}
