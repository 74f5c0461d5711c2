import { Drawer } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showTreeDrawer, useSidebar } from '../state/sidebar-store.ts'
import { SideTree } from './side-tree.tsx'

/** The tree in mobile mode, as a drawer over the page. A touch outside closes it. */
export default function TreeDrawer(): ReactNode {
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
      <SideTree />
    </Drawer>
  )
}
