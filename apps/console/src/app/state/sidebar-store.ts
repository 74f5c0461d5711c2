import { create } from 'zustand'

const KEY = 'isotherm.sidebar'

export interface SidebarState {
  /** Whether the panel is open or collapsed to 54 px, on a wide screen. */
  readonly open: boolean
  /** Drawers of mobile mode. */
  readonly treeDrawer: boolean
  readonly menuDrawer: boolean
  /** Path of the next page that opens with the tree drawer. */
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

/** Closes the drawers of mobile mode, when the screen becomes wide and at logout. */
export const closeDrawers = (): void =>
  useSidebar.setState({ treeDrawer: false, menuDrawer: false, treeFor: undefined })

/** Opens the tree drawer with the next page, instead of closing it. */
export const awaitTreeAt = (treeFor: string): void => useSidebar.setState({ treeFor })

/** Closes the drawers after a navigation, except a tree drawer that was requested for this page. */
export const uncoverPage = (pathname: string): void =>
  useSidebar.setState(({ treeFor }) => ({
    treeDrawer: treeFor === pathname,
    menuDrawer: false,
    treeFor: undefined,
  }))
