/** A visited page. */
export interface Tab {
  /** Key in the strip and in the view cache (tab-key.ts). */
  readonly key: string
  /** Path of its page. */
  readonly path: string
  /** Last address, with query and hash. */
  readonly fullPath: string
  /** It cannot be closed and comes first. */
  readonly affix: boolean
}

/** Result of an action: the remaining tabs and the next address. */
export interface Closed {
  readonly tabs: readonly Tab[]
  /** Next address; absent if the current page stays. */
  readonly goTo: string | undefined
}

const START = '/'

const find = (tabs: readonly Tab[], key: string | undefined): Tab | undefined =>
  tabs.find((tab) => tab.key === key)

/** Affixed tabs first, otherwise in their order. */
const arrange = (tabs: readonly Tab[]): readonly Tab[] => [
  ...tabs.filter((tab) => tab.affix),
  ...tabs.filter((tab) => !tab.affix),
]

/** Adds a visited page, or updates the last address of its tab. */
export function visitTab(tabs: readonly Tab[], visited: Tab): readonly Tab[] {
  const known = find(tabs, visited.key)
  if (!known) return arrange([...tabs, visited])
  if (known.fullPath === visited.fullPath) return tabs
  return tabs.map((tab) => (tab === known ? { ...tab, fullPath: visited.fullPath } : tab))
}

/** Adds missing affixed pages at the front. */
export function addAffixed(tabs: readonly Tab[], paths: readonly string[]): readonly Tab[] {
  const missing = paths.filter((path) => !find(tabs, path))
  if (missing.length === 0) return tabs
  return arrange([...missing.map((path) => ({ key: path, path, fullPath: path, affix: true })), ...tabs])
}

/**
 * Closes tabs, except affixed tabs and tabs for which `keep` is true. If the current tab closes, the next one in front is
 * `then`, or the last remaining tab, or the start page. `active` is absent on a page without a tab, such as /404.
 */
function close(
  tabs: readonly Tab[],
  active: string | undefined,
  keep: (tab: Tab, index: number) => boolean,
  then?: string,
): Closed {
  const left = tabs.filter((tab, index) => tab.affix || keep(tab, index))
  if (active === undefined || find(left, active)) return { tabs: left, goTo: undefined }
  return { tabs: left, goTo: (find(left, then) ?? left.at(-1))?.fullPath ?? START }
}

export const closeTab = (tabs: readonly Tab[], active: string | undefined, key: string): Closed =>
  close(tabs, active, (tab) => tab.key !== key)

/** Closes all other tabs and brings this one to the front. */
export function closeOtherTabs(tabs: readonly Tab[], active: string | undefined, key: string): Closed {
  const { tabs: left } = close(tabs, active, (tab) => tab.key === key)
  return { tabs: left, goTo: key === active ? undefined : find(left, key)?.fullPath }
}

/** Closes the tabs to the left. If the current tab closes, this one comes to the front. */
export function closeTabsBefore(tabs: readonly Tab[], active: string | undefined, key: string): Closed {
  const place = tabs.findIndex((tab) => tab.key === key)
  return close(tabs, active, (_tab, index) => index >= place, key)
}

/** Closes the tabs to the right. If the current tab closes, this one comes to the front. */
export function closeTabsAfter(tabs: readonly Tab[], active: string | undefined, key: string): Closed {
  const place = tabs.findIndex((tab) => tab.key === key)
  return close(tabs, active, (_tab, index) => place < 0 || index <= place, key)
}

/** Closes all tabs that can be closed, and leaves a page without a tab. */
export function closeAllTabs(tabs: readonly Tab[], active: string | undefined): Closed {
  const closed = close(tabs, active, () => false)
  if (active !== undefined) return closed
  return { tabs: closed.tabs, goTo: closed.tabs.at(-1)?.fullPath ?? START }
}

/** Moves a tab to the place of another; affixed tabs stay first. */
export function moveTab(tabs: readonly Tab[], key: string, toPlaceOf: string): readonly Tab[] {
  const moved = find(tabs, key)
  const place = tabs.findIndex((tab) => tab.key === toPlaceOf)
  if (!moved || place < 0 || key === toPlaceOf) return tabs
  const others = tabs.filter((tab) => tab !== moved)
  return arrange([...others.slice(0, place), moved, ...others.slice(place)])
}
