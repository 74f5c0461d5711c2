/** A visited page. */
export interface Tab {
  /** Its identity in the strip and in the cache of views (tab-key.ts). */
  readonly key: string
  /** Path of its page. */
  readonly path: string
  /** Where it was left, with query and hash. */
  readonly fullPath: string
  /** It cannot be closed, and stands in front. */
  readonly affix: boolean
}

/** What an action leaves, and where it leads. */
export interface Closed {
  readonly tabs: readonly Tab[]
  /** Where to go; absent when the page in front stays. */
  readonly goTo: string | undefined
}

const START = '/'

const find = (tabs: readonly Tab[], key: string | undefined): Tab | undefined =>
  tabs.find((tab) => tab.key === key)

/** Affixed tabs in front, otherwise in the order they have. */
const arrange = (tabs: readonly Tab[]): readonly Tab[] => [
  ...tabs.filter((tab) => tab.affix),
  ...tabs.filter((tab) => !tab.affix),
]

/** Adds a visited page; a page that is there only remembers where it was left. */
export function visitTab(tabs: readonly Tab[], visited: Tab): readonly Tab[] {
  const known = find(tabs, visited.key)
  if (!known) return arrange([...tabs, visited])
  if (known.fullPath === visited.fullPath) return tabs
  return tabs.map((tab) => (tab === known ? { ...tab, fullPath: visited.fullPath } : tab))
}

/** Puts the pages that cannot be closed in front, once. */
export function addAffixed(tabs: readonly Tab[], paths: readonly string[]): readonly Tab[] {
  const missing = paths.filter((path) => !find(tabs, path))
  if (missing.length === 0) return tabs
  return arrange([...missing.map((path) => ({ key: path, path, fullPath: path, affix: true })), ...tabs])
}

/**
 * Keeps affixed tabs and those that `keep` wants. When the page in front goes, its place takes `then` if that
 * is left, else the last one left, else the start. `active` is absent on a page without a tab, such as /404.
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

/** Closes all but one, which comes to the front. */
export function closeOtherTabs(tabs: readonly Tab[], active: string | undefined, key: string): Closed {
  const { tabs: left } = close(tabs, active, (tab) => tab.key === key)
  return { tabs: left, goTo: key === active ? undefined : find(left, key)?.fullPath }
}

/** Closes those before one; it comes to the front when the page in front was among them. */
export function closeTabsBefore(tabs: readonly Tab[], active: string | undefined, key: string): Closed {
  const place = tabs.findIndex((tab) => tab.key === key)
  return close(tabs, active, (_tab, index) => index >= place, key)
}

/** Closes those after one; it comes to the front when the page in front was among them. */
export function closeTabsAfter(tabs: readonly Tab[], active: string | undefined, key: string): Closed {
  const place = tabs.findIndex((tab) => tab.key === key)
  return close(tabs, active, (_tab, index) => place < 0 || index <= place, key)
}

/** Closes all that can be closed. A page without a tab does not stay in front either. */
export function closeAllTabs(tabs: readonly Tab[], active: string | undefined): Closed {
  const closed = close(tabs, active, () => false)
  if (active !== undefined) return closed
  return { tabs: closed.tabs, goTo: closed.tabs.at(-1)?.fullPath ?? START }
}

/** Puts a tab to the place of another; affixed tabs stay in front. */
export function moveTab(tabs: readonly Tab[], key: string, toPlaceOf: string): readonly Tab[] {
  const moved = find(tabs, key)
  const place = tabs.findIndex((tab) => tab.key === toPlaceOf)
  if (!moved || place < 0 || key === toPlaceOf) return tabs
  const others = tabs.filter((tab) => tab !== moved)
  return arrange([...others.slice(0, place), moved, ...others.slice(place)])
}
