import { Menu, type MenuProps } from 'antd'
import { type ReactNode, useMemo } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '../../shared/session/session-store.ts'
import { externalLink } from '../../shared/url/external.ts'
import { findExternalIcons, type MenuLeaf, toMenu } from '../guard/menu.ts'
import { pages } from '../pages.ts'
import { showMenuDrawer } from '../state/sidebar-store.ts'
import { useCurrentPage } from '../state/use-current-page.ts'
import { prefetchPath } from '../state/use-prefetch.ts'
import { useTitles } from '../state/use-titles.ts'
import { toMenuTarget } from '../tabs/tabs-store.ts'
import { MenuIcon } from './menu-icon.tsx'

/** Entries of the menu: permitted pages, groups with at least one entry, and external links. */
function useItems(): NonNullable<MenuProps['items']> {
  const modules = useSession((session) => session.modules)
  const titles = useTitles()
  return useMemo(() => {
    const icons = findExternalIcons(modules ?? [])
    const toItem = (leaf: MenuLeaf) => {
      if (leaf.kind === 'link') {
        const { id, name, href } = leaf.link
        const label = (
          <a href={href} {...externalLink}>
            {name}
          </a>
        )
        return { key: `external ${id}`, label }
      }
      const { path, icon, permission = '' } = leaf.page
      return {
        key: path,
        label: titles.ofPage(leaf.page),
        icon: <MenuIcon own={icon} external={icons.get(permission)} />,
        onMouseEnter: () => prefetchPath(path),
      }
    }
    return toMenu(pages, modules ?? []).map((entry) =>
      entry.kind === 'group'
        ? { key: entry.group, label: titles.ofGroup(entry.group), children: entry.leaves.map(toItem) }
        : toItem(entry),
    )
  }, [modules, titles])
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
