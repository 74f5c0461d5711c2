import { modules } from '@isotherm/contract/permissions'
import { Menu, type MenuProps } from 'antd'
import { type ComponentType, createElement, type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Page } from '../../shared/page.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { toMenu } from '../guard/menu.ts'
import { pages } from '../pages.ts'
import { showMenuDrawer } from './sidebar-store.ts'
import { useCurrentPage } from './use-current-page.ts'

const toIcon = (icon: ComponentType | undefined) => (icon ? { icon: createElement(icon) } : {})

/** The permitted pages by group; across the top bar, or down a drawer. */
export function TopMenu({ mode }: { readonly mode: 'horizontal' | 'inline' }): ReactNode {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const current = useCurrentPage()
  const permitted = useSession((session) => session.permitted)
  const items = useMemo((): MenuProps['items'] => {
    const menu = toMenu(pages, modules, permitted)
    const toItem = (page: Page) => ({ key: page.path, label: page.title(t), ...toIcon(page.icon) })
    return [
      ...menu.single.map(toItem),
      ...menu.groups.map(({ group, pages: own }) => ({
        key: group,
        label: t(`menu.${group}`),
        children: own.map(toItem),
      })),
    ]
  }, [permitted, t])
  const open = ({ key }: { readonly key: string }) => {
    showMenuDrawer(false)
    void navigate(key)
  }
  const opened = mode === 'inline' && current?.group ? { defaultOpenKeys: [current.group] } : {}
  return (
    <Menu
      mode={mode}
      theme={mode === 'horizontal' ? 'dark' : 'light'}
      items={items ?? []}
      selectedKeys={current ? [current.path] : []}
      onClick={open}
      className="top-menu"
      style={mode === 'inline' ? { borderInlineEnd: 'none' } : {}}
      data-testid="menu"
      {...opened}
    />
  )
}
