import { create } from 'zustand'

const KEY = 'isotherm.sidebar'

export interface SidebarState {
  /** Open at 280 px or collapsed to 54 px, on a wide screen. */
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

export function toggleSidebar(): void {
  const open = !useSidebar.getState().open
  localStorage.setItem(KEY, open ? 'open' : 'collapsed')
  useSidebar.setState({ open })
}

export const showTreeDrawer = (treeDrawer: boolean): void => useSidebar.setState({ treeDrawer })
export const showMenuDrawer = (menuDrawer: boolean): void => useSidebar.setState({ menuDrawer })
