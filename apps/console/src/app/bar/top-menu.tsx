import { modules as order } from '@isotherm/contract/access/permissions'
import { Menu, type MenuProps } from 'antd'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Page } from '../../shared/page.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { externalLink } from '../../shared/url/external.ts'
import { toMenu } from '../guard/menu.ts'
import { pages } from '../pages.ts'
import { showMenuDrawer } from '../state/sidebar-store.ts'
import { useCurrentPage } from '../state/use-current-page.ts'
import { prefetchPath } from '../state/use-prefetch.ts'
import { toMenuTarget } from '../tabs/tabs-store.ts'
import { type ExternalModule, findExternalIcons, findExternalModules } from './external-modules.ts'
import { MenuIcon } from './menu-icon.tsx'

const toLink = ({ id, name, href }: ExternalModule) => ({
  key: `external ${id}`,
  label: (
    <a href={href} {...externalLink}>
      {name}
    </a>
  ),
})

/** Entries of the menu: permitted pages, groups with at least one permitted page, and external links. */
function useItems(): NonNullable<MenuProps['items']> {
  const { t } = useTranslation('common')
  const { permitted, modules } = useSession()
  return useMemo(() => {
    const menu = toMenu(pages, order, permitted)
    const icons = findExternalIcons(modules ?? [])
    const links = findExternalModules(modules ?? [])
    const groups = new Set<string>(menu.groups.map(({ group }) => group))
    const toItem = (page: Page) => ({
      key: page.path,
      label: page.title(t),
      icon: <MenuIcon own={page.icon} external={icons.get(page.permission ?? '')} />,
      onMouseEnter: () => prefetchPath(page.path),
    })
    return [
      ...menu.single.map(toItem),
      ...menu.groups.map(({ group, pages: own }) => ({
        key: group,
        label: t(`menu.${group}`),
        children: [...own.map(toItem), ...links.filter((link) => link.group === group).map(toLink)],
      })),
      ...links.filter((link) => !groups.has(link.group ?? '')).map(toLink),
    ]
  }, [permitted, modules, t])
}

/** Main menu with the permitted pages by group (specification, section 2), in the top bar or in a drawer. */
export function TopMenu({ mode }: { readonly mode: 'horizontal' | 'inline' }): ReactNode {
  const navigate = useNavigate()
  const current = useCurrentPage()
  const items = useItems()
  const open = ({ key }: { readonly key: string }) => {
    showMenuDrawer(false)
    if (key.startsWith('/')) void navigate(toMenuTarget(key))
  }
  const opened = mode === 'inline' && current?.group ? { defaultOpenKeys: [current.group] } : {}
  return (
    <Menu
      mode={mode}
      theme={mode === 'horizontal' ? 'dark' : 'light'}
      items={items}
      selectedKeys={current ? [current.path] : []}
      onClick={open}
      className="top-menu"
      style={mode === 'inline' ? { borderInlineEnd: 'none' } : {}}
      data-testid="menu"
      {...opened}
    />
  )
}
