import { create } from 'zustand'

const KEY = 'isotherm.sidebar'

export interface SidebarState {
  /** Whether the panel is open or collapsed to 54 px, on a wide screen. */
  readonly open: boolean
  /** Drawers of mobile mode. */
  readonly treeDrawer: boolean
  readonly menuDrawer: boolean
  /** Path of a page; when it opens next, the tree drawer opens too. */
  readonly treeDrawerPath: string | undefined
}

export const useSidebar = create<SidebarState>(() => ({
  open: localStorage.getItem(KEY) !== 'collapsed',
  treeDrawer: false,
  menuDrawer: false,
  treeDrawerPath: undefined,
}))

function storeOpen(open: boolean): void {
  localStorage.setItem(KEY, open ? 'open' : 'collapsed')
  useSidebar.setState({ open })
}

export const toggleSidebar = (): void => storeOpen(!useSidebar.getState().open)
export const openSidebar = (): void => storeOpen(true)
export const showTreeDrawer = (treeDrawer: boolean): void => useSidebar.setState({ treeDrawer })
export const showMenuDrawer = (menuDrawer: boolean): void => useSidebar.setState({ menuDrawer })

/** Closes the drawers of mobile mode, when the screen becomes wide and at logout. */
export const closeDrawers = (): void =>
  useSidebar.setState({ treeDrawer: false, menuDrawer: false, treeDrawerPath: undefined })

/** Opens the tree drawer when the page at this path opens. */
export const openTreeWithPage = (treeDrawerPath: string): void => useSidebar.setState({ treeDrawerPath })

/** Closes the drawers after a navigation, except a tree drawer that was requested for this page. */
export const closeDrawersAfterNavigation = (pathname: string): void =>
  useSidebar.setState(({ treeDrawerPath }) => ({
    treeDrawer: treeDrawerPath === pathname,
    menuDrawer: false,
    treeDrawerPath: undefined,
  }))
