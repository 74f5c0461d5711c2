import { Dropdown, type MenuProps } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { TabActions } from '../tabs/tab-actions.ts'
import type { Tab } from '../tabs/tabs.ts'

/** A tab whose menu is open, and where on the screen, px. */
export interface OpenTabMenu {
  readonly tab: Tab
  readonly leftPx: number
  readonly topPx: number
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

/** The menu of one tab, where it was asked for; Escape or a click elsewhere closes it. */
export function TabMenu(props: TabMenuProps): ReactNode {
  const { open, onClose } = props
  const items = useItems(props)
  useEffect(() => {
    window.addEventListener('blur', onClose)
    return () => window.removeEventListener('blur', onClose)
  }, [onClose])
  return (
    <Dropdown
      key={`${open.tab.key} ${open.leftPx}`}
      open
      autoFocus
      trigger={['click']}
      menu={{ items: items ?? [], className: 'tab-menu' }}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <span className="tab-menu-place" style={{ left: open.leftPx, top: open.topPx }} />
    </Dropdown>
  )
}
