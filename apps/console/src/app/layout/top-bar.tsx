import { MenuOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageSwitch, ThemeSwitch } from '../../shared/ui/switches.tsx'
import { useIsMobile } from '../../shared/ui/use-width.ts'
import { PaletteButton } from '../palette/palette-button.tsx'
import { Brand } from './brand.tsx'
import { DemoBadge } from './demo-badge.tsx'
import { showMenuDrawer } from './sidebar-store.ts'
import { TopMenu } from './top-menu.tsx'
import { UserMenu } from './user-menu.tsx'

// What only a narrow screen shows, only a narrow screen loads.
const MenuDrawer = lazy(() => import('./menu-drawer.tsx'))

function MenuButton(): ReactNode {
  const { t } = useTranslation('common')
  return (
    <>
      <Button
        type="text"
        icon={<MenuOutlined />}
        aria-label={t('menu.open')}
        onClick={() => showMenuDrawer(true)}
        data-testid="menu-open"
      />
      <Suspense>
        <MenuDrawer />
      </Suspense>
    </>
  )
}

/** 60 px across the top: brand, menu, demo badge, switches, user. */
export function TopBar(): ReactNode {
  const { t } = useTranslation('common')
  const mobile = useIsMobile()
  return (
    <header className="top-bar">
      {mobile && <MenuButton />}
      <Brand />
      <nav className="top-bar-menu" aria-label={t('menu.label')}>
        {!mobile && <TopMenu mode="horizontal" />}
      </nav>
      <DemoBadge />
      <PaletteButton />
      <LanguageSwitch />
      <ThemeSwitch />
      <UserMenu />
    </header>
  )
}
