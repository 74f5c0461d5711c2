import { Drawer } from 'antd'
import type { ReactNode } from 'react'
import { useBranding } from '../../shared/installation/branding.ts'
import { showMenuDrawer, useSidebar } from '../state/sidebar-store.ts'
import { TopMenu } from './top-menu.tsx'

/** The main menu in mobile mode, as a drawer over the page. A touch outside closes it. */
export default function MenuDrawer(): ReactNode {
  const { menuDrawer } = useSidebar()
  const { topBarTitle } = useBranding()
  return (
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
  )
}
