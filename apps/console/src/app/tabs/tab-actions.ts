import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { findPage } from '../pages.ts'
import { toTabKey } from './tab-key.ts'
import {
  type Closed,
  closeAllTabs,
  closeOtherTabs,
  closeTab,
  closeTabsAfter,
  closeTabsBefore,
  type Tab,
} from './tabs.ts'
import { storeClosed, useTabs } from './tabs-store.ts'

/** Key of the tab in front; absent on a page without one, such as /404. */
export function useActiveKey(): string | undefined {
  const { pathname, search } = useLocation()
  const page = findPage(pathname)
  return page && toTabKey(page.path, search, page)
}

export interface TabActions {
  open(tab: Tab): void
  /** Replaces the view of a tab, by /redirect{fullPath} (specification, section 2). */
  refresh(tab: Tab): void
  close(tab: Tab): void
  closeOthers(tab: Tab): void
  closeBefore(tab: Tab): void
  closeAfter(tab: Tab): void
  closeAll(): void
}

/** Actions on tabs, with the redirects of section 2 of the specification. */
export function useTabActions(): TabActions {
  const navigate = useNavigate()
  const active = useActiveKey()
  return useMemo(() => {
    const apply = (change: (tabs: readonly Tab[]) => Closed): void =>
      void storeClosed(change(useTabs.getState().tabs), navigate)
    return {
      open: (tab) => void navigate(tab.fullPath),
      refresh: (tab) => void navigate(`/redirect${tab.fullPath}`),
      close: (tab) => apply((tabs) => closeTab(tabs, active, tab.key)),
      closeOthers: (tab) => apply((tabs) => closeOtherTabs(tabs, active, tab.key)),
      closeBefore: (tab) => apply((tabs) => closeTabsBefore(tabs, active, tab.key)),
      closeAfter: (tab) => apply((tabs) => closeTabsAfter(tabs, active, tab.key)),
      closeAll: () => apply((tabs) => closeAllTabs(tabs, active)),
    }
  }, [navigate, active])
}
