import { create } from 'zustand'

const KEY = 'isotherm.sidebar'

export interface SidebarState {
  /** Open or collapsed to 54 px, on a wide screen. */
  readonly open: boolean
  /** Drawers of mobile mode. */
  readonly treeDrawer: boolean
  readonly menuDrawer: boolean
}

export const useSidebar = create<SidebarState>(() => ({
  open: localStorage.getItem(KEY) !== 'collapsed',
  treeDrawer: false,
  menuDrawer: false,
}))

function keepOpen(open: boolean): void {
  localStorage.setItem(KEY, open ? 'open' : 'collapsed')
  useSidebar.setState({ open })
}

export const toggleSidebar = (): void => keepOpen(!useSidebar.getState().open)
export const openSidebar = (): void => keepOpen(true)
export const showTreeDrawer = (treeDrawer: boolean): void => useSidebar.setState({ treeDrawer })
export const showMenuDrawer = (menuDrawer: boolean): void => useSidebar.setState({ menuDrawer })

/** What covers the page in mobile mode goes away: with every navigation, and when the screen becomes wide. */
export const closeDrawers = (): void => useSidebar.setState({ treeDrawer: false, menuDrawer: false })
