import { create } from 'zustand'
import type { Page } from '../../shared/page.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { isPermitted } from '../guard/menu.ts'
import { findPage, pages } from '../pages.ts'
import { restoreTabs, storeTabs, toTab } from './restore-tabs.ts'
import { addAffixed, type Closed, moveTab, type Tab, visitTab } from './tabs.ts'

export interface TabsState {
  /** Id of the user who owns the tabs; absent without open tabs. */
  readonly owner: number | undefined
  readonly tabs: readonly Tab[]
  /** Number of refreshes of each tab, by key. A higher number means a new view. */
  readonly refreshes: ReadonlyMap<string, number>
  /** Keys of closed tabs until the next page is in front. Until then a page that was still rendering may appear once. */
  readonly leaving: ReadonlySet<string>
}

const empty: TabsState = { owner: undefined, tabs: [], refreshes: new Map(), leaving: new Set() }

export const useTabs = create<TabsState>(() => empty)

/**
 * Key of a user's tabs in session storage. They survive a reload and an expired session in the same window (ADR 0016).
 */
const toStorageKey = (owner: number): string => `isotherm.tabs.${owner}`

useTabs.subscribe(({ owner, tabs }) => {
  if (owner !== undefined) sessionStorage.setItem(toStorageKey(owner), storeTabs(tabs))
})

const affixed = pages.filter((page) => page.affix).map((page) => page.path)

function findOpenable(path: string): Page | undefined {
  const page = findPage(path)
  return page && isPermitted(page, useSession.getState().permitted) ? page : undefined
}

/** The open tabs of the user, or after a reload the stored ones, without pages that are no longer permitted. */
function listOwn({ owner, tabs }: TabsState, userId: number): readonly Tab[] {
  const own =
    owner === userId ? tabs : restoreTabs(sessionStorage.getItem(toStorageKey(userId)), findOpenable)
  return addAffixed(
    own.filter((tab) => findOpenable(tab.path)),
    affixed,
  )
}

/**
 * Records a visit. On a page without a tab, such as /404, or with a tab that was just closed, only restores the tabs of
 * the user.
 */
export function recordVisit(page: Page | undefined, fullPath: string): void {
  const userId = useSession.getState().user?.id
  if (userId === undefined) return
  useTabs.setState((state) => {
    const own = listOwn(state, userId)
    const tab = page && toTab(page, fullPath)
    const isVisit = tab !== undefined && !state.leaving.has(tab.key)
    return { owner: userId, tabs: isVisit ? visitTab(own, tab) : own }
  })
}

/** Stores the tabs that a closing leaves, and goes to the next address with `go`. */
export async function storeClosed(
  { tabs, goTo }: Closed,
  go: (address: string) => Promise<void> | void,
): Promise<void> {
  const before = useTabs.getState().tabs
  useTabs.setState({ tabs })
  if (goTo === undefined) return
  const remaining = new Set(tabs.map(({ key }) => key))
  const closed = new Set(before.flatMap(({ key }) => (remaining.has(key) ? [] : key)))
  useTabs.setState(({ leaving }) => ({ leaving: new Set([...leaving, ...closed]) }))
  await go(goTo)
  useTabs.setState(({ leaving }) => ({ leaving: new Set([...leaving].filter((key) => !closed.has(key))) }))
}

export const reorderTabs = (key: string, toPlaceOf: string): void =>
  useTabs.setState(({ tabs }) => ({ tabs: moveTab(tabs, key, toPlaceOf) }))

/** Marks the view of a location for replacement when it is shown next. */
export function recordRefresh(fullPath: string): void {
  const { pathname, search } = new URL(fullPath, 'http://console')
  const page = findPage(pathname)
  if (!page) return
  const { key } = toTab(page, `${pathname}${search}`)
  useTabs.setState(({ refreshes }) => ({
    refreshes: new Map(refreshes).set(key, (refreshes.get(key) ?? 0) + 1),
  }))
}

/** Menu target of a page: the last address of its open tab, else its path. */
export const toMenuTarget = (path: string): string =>
  useTabs.getState().tabs.find((tab) => tab.key === path)?.fullPath ?? path

/** Clears the tabs for the next user. */
export const clearTabs = (): void => useTabs.setState(empty)
