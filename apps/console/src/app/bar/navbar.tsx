import {
  FullscreenExitOutlined,
  FullscreenOutlined,
  HomeOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
} from '@ant-design/icons'
import { HOME_PATH } from '@isotherm/contract/access/routes'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useIsMobile } from '../../shared/screen/use-width.ts'
import { toggleFullScreen, useIsFullScreen } from '../state/full-screen.ts'
import { showTreeDrawer, toggleSidebar, useSidebar } from '../state/sidebar-store.ts'
import { useCurrentPage } from '../state/use-current-page.ts'
import { useTitles } from '../state/use-titles.ts'

function SidebarToggle(): ReactNode {
  const { t } = useTranslation('common')
  const mobile = useIsMobile()
  const { open, treeDrawer } = useSidebar()
  const shown = mobile ? treeDrawer : open
  return (
    <Button
      type="text"
      icon={shown ? <MenuFoldOutlined /> : <MenuUnfoldOutlined />}
      aria-label={t(shown ? 'navbar.collapseTree' : 'navbar.expandTree')}
      aria-expanded={shown}
      onClick={() => (mobile ? showTreeDrawer(!treeDrawer) : toggleSidebar())}
      data-testid="sidebar-toggle"
    />
  )
}

/** Breadcrumb: home, group and page. The last entry is the current page and has no link. */
function Crumbs(): ReactNode {
  const { t } = useTranslation('common')
  const page = useCurrentPage()
  const titles = useTitles()
  const isHome = page === undefined || page.path === HOME_PATH
  return (
    <nav className="crumbs" aria-label={t('navbar.breadcrumb')}>
      <ol>
        <li>
          <Link to="/" aria-current={page && isHome ? 'page' : undefined}>
            <HomeOutlined /> {t('menu.home')}
          </Link>
        </li>
        {page?.group && <li>{titles.ofGroup(page.group)}</li>}
        {!isHome && <li aria-current="page">{titles.ofPage(page)}</li>}
      </ol>
    </nav>
  )
}

function FullScreenToggle(): ReactNode {
  const { t } = useTranslation('common')
  const full = useIsFullScreen()
  return (
    <Button
      type="text"
      icon={full ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
      aria-label={t(full ? 'navbar.leaveFullScreen' : 'navbar.fullScreen')}
      onClick={toggleFullScreen}
      data-testid="full-screen"
    />
  )
}

/** Bar of 50 px: tree toggle, breadcrumb, full screen. */
export function Navbar({ hasTree }: { readonly hasTree: boolean }): ReactNode {
  return (
    <div className="navbar">
      {hasTree && <SidebarToggle />}
      <Crumbs />
      <FullScreenToggle />
    </div>
  )
}
