import type { MenuProps } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MenuAt, type MenuPlace } from '../../shared/ui/menu-at.tsx'
import type { TabActions } from './tab-actions.ts'
import type { Tab } from './tabs.ts'

/** The tab with an open menu, and the place of the menu. */
export interface OpenTabMenu {
  readonly tab: Tab
  readonly place: MenuPlace
}

interface TabMenuProps {
  readonly open: OpenTabMenu
  readonly tabs: readonly Tab[]
  readonly actions: TabActions
  readonly onClose: () => void
}

function useItems({ open: { tab }, tabs, actions, onClose }: TabMenuProps): MenuProps['items'] {
  const { t } = useTranslation('common')
  const place = tabs.findIndex((each) => each.key === tab.key)
  const canClose = (some: readonly Tab[]) => some.some((each) => !each.affix)
  const item = (key: string, label: string, act: () => void, disabled = false) => ({
    key,
    label,
    disabled,
    onClick: () => {
      onClose()
      act()
    },
  })
  return [
    item('refresh', t('tabs.refresh'), () => actions.refresh(tab)),
    { key: 'line', type: 'divider' },
    item('close', t('tabs.close'), () => actions.close(tab), tab.affix),
    item(
      'others',
      t('tabs.closeOthers'),
      () => actions.closeOthers(tab),
      !canClose(tabs.filter((each) => each.key !== tab.key)),
    ),
    item('before', t('tabs.closeLeft'), () => actions.closeBefore(tab), !canClose(tabs.slice(0, place))),
    item('after', t('tabs.closeRight'), () => actions.closeAfter(tab), !canClose(tabs.slice(place + 1))),
    item('all', t('tabs.closeAll'), actions.closeAll),
  ]
}

/** The menu of one tab. */
export function TabMenu(props: TabMenuProps): ReactNode {
  const { open, onClose } = props
  return <MenuAt of={open.tab.key} place={open.place} items={useItems(props)} onClose={onClose} />
}
