import { create } from 'zustand'
import type { Page } from '../../shared/page.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { isPermitted } from '../guard/menu.ts'
import { findPage, pages } from '../pages.ts'
import { restoreTabs, storeTabs, toTab } from './restore-tabs.ts'
import { addAffixed, type Closed, moveTab, type Tab, visitTab } from './tabs.ts'

export interface TabsState {
  /** Id of the user whose tabs these are; absent while nobody's are open. */
  readonly owner: number | undefined
  readonly tabs: readonly Tab[]
  /** How often each tab was refreshed, by key: a higher number is a new view. */
  readonly refreshes: ReadonlyMap<string, number>
}

const empty: TabsState = { owner: undefined, tabs: [], refreshes: new Map() }

export const useTabs = create<TabsState>(() => empty)

/** Tabs outlive a reload and a session that ran out, in this window and for this user (ADR 0016). */
const toStorageKey = (owner: number): string => `isotherm.tabs.${owner}`

useTabs.subscribe(({ owner, tabs }) => {
  if (owner !== undefined) sessionStorage.setItem(toStorageKey(owner), storeTabs(tabs))
})

const affixed = pages.filter((page) => page.affix).map((page) => page.path)

function findOpenable(path: string): Page | undefined {
  const page = findPage(path)
  return page && isPermitted(page, useSession.getState().permitted) ? page : undefined
}

/** The user's tabs: those open, or after a reload those that were; never what is not permitted any more. */
function listOwn({ owner, tabs }: TabsState, userId: number): readonly Tab[] {
  const own =
    owner === userId ? tabs : restoreTabs(sessionStorage.getItem(toStorageKey(userId)), findOpenable)
  return addAffixed(
    own.filter((tab) => findOpenable(tab.path)),
    affixed,
  )
}

/** Notes what is in front; on a page without a tab, such as /404, only brings the user's tabs back. */
export function noteVisit(page: Page | undefined, fullPath: string): void {
  const userId = useSession.getState().user?.id
  if (userId === undefined) return
  useTabs.setState((state) => {
    const own = listOwn(state, userId)
    return { owner: userId, tabs: page ? visitTab(own, toTab(page, fullPath)) : own }
  })
}

export const keepTabs = ({ tabs }: Closed): void => useTabs.setState({ tabs })

export const reorderTabs = (key: string, toPlaceOf: string): void =>
  useTabs.setState(({ tabs }) => ({ tabs: moveTab(tabs, key, toPlaceOf) }))

/** Makes the view of a location anew at its next showing. */
export function noteRefresh(fullPath: string): void {
  const { pathname, search } = new URL(fullPath, 'http://console')
  const page = findPage(pathname)
  if (!page) return
  const { key } = toTab(page, `${pathname}${search}`)
  useTabs.setState(({ refreshes }) => ({
    refreshes: new Map(refreshes).set(key, (refreshes.get(key) ?? 0) + 1),
  }))
}

/** Where a menu leads for a page: to where its tab was left, when it is open. */
export const toMenuTarget = (path: string): string =>
  useTabs.getState().tabs.find((tab) => tab.key === path)?.fullPath ?? path

/** The next user must not find the last one's pages. */
export const clearTabs = (): void => useTabs.setState(empty)
