import { create } from 'zustand'

const KEY = 'isotherm.sidebar'

export interface SidebarState {
  /** Open or collapsed to 54 px, on a wide screen. */
  readonly open: boolean
  /** Drawers of mobile mode. */
  readonly treeDrawer: boolean
  readonly menuDrawer: boolean
  /** Path of the page beside which the tree's drawer is to open once it is there. */
  readonly treeFor: string | undefined
}

export const useSidebar = create<SidebarState>(() => ({
  open: localStorage.getItem(KEY) !== 'collapsed',
  treeDrawer: false,
  menuDrawer: false,
  treeFor: undefined,
}))

function keepOpen(open: boolean): void {
  localStorage.setItem(KEY, open ? 'open' : 'collapsed')
  useSidebar.setState({ open })
}

export const toggleSidebar = (): void => keepOpen(!useSidebar.getState().open)
export const openSidebar = (): void => keepOpen(true)
export const showTreeDrawer = (treeDrawer: boolean): void => useSidebar.setState({ treeDrawer })
export const showMenuDrawer = (menuDrawer: boolean): void => useSidebar.setState({ menuDrawer })

/** What covers the page in mobile mode goes away: when the screen becomes wide, at logout. */
export const closeDrawers = (): void =>
  useSidebar.setState({ treeDrawer: false, menuDrawer: false, treeFor: undefined })

/** The tree's drawer is to open beside a page that is about to be opened, instead of closing as for any other. */
export const awaitTreeAt = (treeFor: string): void => useSidebar.setState({ treeFor })

/** With every navigation the page uncovers itself, unless the tree was wanted beside it. */
export const uncoverPage = (pathname: string): void =>
  useSidebar.setState(({ treeFor }) => ({
    treeDrawer: treeFor === pathname,
    menuDrawer: false,
    treeFor: undefined,
  }))
