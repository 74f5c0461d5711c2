import { MenuOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageSwitch, ThemeSwitch } from '../../shared/inputs/switches.tsx'
import { LazyPart } from '../../shared/lazy/lazy-part.tsx'
import { useIsMobile } from '../../shared/screen/use-width.ts'
import { PaletteButton } from '../palette/palette-button.tsx'
import { closeDrawers, showMenuDrawer, useSidebar } from '../state/sidebar-store.ts'
import { AlarmBell } from './alarm-bell.tsx'
import { Brand } from './brand.tsx'
import { DemoBadge } from './demo-badge.tsx'
import { TopMenu } from './top-menu.tsx'
import { UserMenu } from './user-menu.tsx'

// Load the code of the drawers only on a narrow screen.
const loadDrawer = () => import('./menu-drawer.tsx')

function MenuButton(): ReactNode {
  const { t } = useTranslation('common')
  const { menuDrawer } = useSidebar()
  return (
    <>
      <Button
        type="text"
        icon={<MenuOutlined />}
        aria-label={t('menu.open')}
        onClick={() => showMenuDrawer(true)}
        data-testid="menu-open"
      />
      <LazyPart wanted={menuDrawer} load={loadDrawer} onFailed={closeDrawers} />
    </>
  )
}

/** Bar of 60 px: brand, menu, demo badge, alarms, switches, user. */
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
      <AlarmBell />
      <PaletteButton />
      <LanguageSwitch />
      <ThemeSwitch />
      <UserMenu />
    </header>
  )
}
