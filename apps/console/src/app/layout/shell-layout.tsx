import { ApartmentOutlined } from '@ant-design/icons'
import { Button, Drawer } from 'antd'
import { type ReactNode, useCallback, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { TreePanel } from '../../features/network/tree-panel.tsx'
import { Relogin } from '../../features/session/relogin.tsx'
import { useIsMobile } from '../../shared/ui/use-width.ts'
import { toLoginPath } from '../guard/decide.ts'
import { pages } from '../pages.ts'
import { noteVisit } from '../tabs/tabs-store.ts'
import { Banners } from './banners.tsx'
import { Navbar } from './navbar.tsx'
import { showTreeDrawer, toggleSidebar, useSidebar } from './sidebar-store.ts'
import { TabsBar } from './tabs-bar.tsx'
import { TopBar } from './top-bar.tsx'
import { useCurrentPage } from './use-current-page.ts'
import { useSessionUpkeep } from './use-session-upkeep.ts'
import { Views } from './views.tsx'

const affixed = pages.filter((page) => page.affix).map((page) => page.path)

function Side(): ReactNode {
  const { t } = useTranslation('common')
  const mobile = useIsMobile()
  const { open, treeDrawer } = useSidebar()
  if (!mobile) {
    return open ? (
      <aside className="side">
        <TreePanel />
      </aside>
    ) : (
      <aside className="side side-collapsed">
        <div className="side-strip">
          <Button
            type="text"
            icon={<ApartmentOutlined />}
            aria-label={t('navbar.expandTree')}
            onClick={toggleSidebar}
          />
        </div>
      </aside>
    )
  }
  return (
    <Drawer
      open={treeDrawer}
      onClose={() => showTreeDrawer(false)}
      placement="left"
      size={300}
      title={t('navbar.tree')}
      styles={{ body: { padding: 0 } }}
    >
      <TreePanel />
    </Drawer>
  )
}

/** Frame of every page behind the login. */
export default function ShellLayout(): ReactNode {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const location = useLocation()
  const page = useCurrentPage()
  const hasTree = page?.showsTree ?? false
  const leave = useCallback(() => {
    const { pathname, search } = window.location
    void navigate(toLoginPath(`${pathname}${search}`))
  }, [navigate])
  useSessionUpkeep(leave)
  useEffect(() => {
    if (page) noteVisit(page, `${location.pathname}${location.search}`, affixed)
  }, [page, location])
  useEffect(() => {
    document.title = page ? `${page.title(t)} - ${t('title.document')}` : t('title.document')
  }, [page, t])
  return (
    <div className="shell">
      <TopBar />
      <div className="shell-body">
        {hasTree && <Side />}
        <div className="shell-main">
          <Navbar hasTree={hasTree} />
          <TabsBar />
          <Banners />
          <Views />
        </div>
      </div>
      <Relogin onLost={leave} />
    </div>
  )
}
