import { MenuOutlined } from '@ant-design/icons'
import { Button, Drawer } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useBranding } from '../../shared/branding.ts'
import { LanguageSwitch, ThemeSwitch } from '../../shared/ui/switches.tsx'
import { useIsMobile } from '../../shared/ui/use-width.ts'
import { PaletteButton } from '../palette/palette-button.tsx'
import { Brand } from './brand.tsx'
import { DemoBadge } from './demo-badge.tsx'
import { showMenuDrawer, useSidebar } from './sidebar-store.ts'
import { TopMenu } from './top-menu.tsx'
import { UserMenu } from './user-menu.tsx'

function MenuDrawer(): ReactNode {
  const { t } = useTranslation('common')
  const { menuDrawer } = useSidebar()
  const { topBarTitle } = useBranding()
  return (
    <>
      <Button
        type="text"
        icon={<MenuOutlined />}
        aria-label={t('menu.open')}
        onClick={() => showMenuDrawer(true)}
        data-testid="menu-open"
      />
      <Drawer
        open={menuDrawer}
        onClose={() => showMenuDrawer(false)}
        placement="left"
        size={280}
        title={topBarTitle}
        styles={{ body: { padding: 8 } }}
      >
        <TopMenu mode="inline" />
      </Drawer>
    </>
  )
}

/** 60 px across the top: brand, menu, demo badge, switches, user. */
export function TopBar(): ReactNode {
  const { t } = useTranslation('common')
  const mobile = useIsMobile()
  return (
    <header className="top-bar">
      {mobile && <MenuDrawer />}
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
