import { create } from 'zustand'
import type { PageDefinition } from '../../shared/page.ts'
import { addAffixed, type Closed, type Tab, visitTab } from './tabs.ts'

export interface TabsState {
  readonly tabs: readonly Tab[]
  /** How often each page was refreshed: a higher number is a new view. */
  readonly refreshes: ReadonlyMap<string, number>
}

const empty: TabsState = { tabs: [], refreshes: new Map() }

export const useTabs = create<TabsState>(() => empty)

export function noteVisit(page: PageDefinition, fullPath: string, affixed: readonly string[]): void {
  useTabs.setState(({ tabs }) => ({
    tabs: visitTab(addAffixed(tabs, affixed), { path: page.path, fullPath, affix: page.affix ?? false }),
  }))
}

export const keepTabs = ({ tabs }: Closed): void => useTabs.setState({ tabs })

/** Makes the page's view anew at its next showing. */
export function noteRefresh(path: string): void {
  useTabs.setState(({ refreshes }) => ({
    refreshes: new Map(refreshes).set(path, (refreshes.get(path) ?? 0) + 1),
  }))
}

/** The next user must not find the last one's pages. */
export const clearTabs = (): void => useTabs.setState(empty)
