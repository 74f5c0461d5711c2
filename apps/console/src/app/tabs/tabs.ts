/** A visited page: `path` is its identity, `fullPath` where it was left, with query. */
export interface Tab {
  readonly path: string
  readonly fullPath: string
  readonly affix: boolean
}

/** Adds a visited page; a page that is there only remembers where it was left. */
export function visitTab(tabs: readonly Tab[], visited: Tab): readonly Tab[] {
  const known = tabs.find((tab) => tab.path === visited.path)
  if (!known) return [...tabs, visited]
  if (known.fullPath === visited.fullPath) return tabs
  return tabs.map((tab) => (tab === known ? { ...tab, fullPath: visited.fullPath } : tab))
}

/** Puts the pages that cannot be closed in front, once. */
export function addAffixed(tabs: readonly Tab[], paths: readonly string[]): readonly Tab[] {
  const missing = paths.filter((path) => !tabs.some((tab) => tab.path === path))
  if (missing.length === 0) return tabs
  return [...missing.map((path) => ({ path, fullPath: path, affix: true })), ...tabs]
}

export interface Closed {
  readonly tabs: readonly Tab[]
  /** Where to go, when the page in front was closed. */
  readonly goTo: string | undefined
}

/** What is left after closing; when the page in front went, its place takes the last one left, or the start. */
function close(tabs: readonly Tab[], active: string, keep: (tab: Tab) => boolean): Closed {
  const left = tabs.filter((tab) => tab.affix || keep(tab))
  const stays = left.some((tab) => tab.path === active)
  return { tabs: left, goTo: stays ? undefined : (left.at(-1)?.fullPath ?? '/') }
}

export const closeTab = (tabs: readonly Tab[], active: string, path: string): Closed =>
  close(tabs, active, (tab) => tab.path !== path)

/** Closes all but one, which comes to the front. */
export function closeOtherTabs(tabs: readonly Tab[], active: string, path: string): Closed {
  const closed = close(tabs, active, (tab) => tab.path === path)
  const kept = closed.tabs.find((tab) => tab.path === path)
  return { tabs: closed.tabs, goTo: path === active ? undefined : kept?.fullPath }
}

export const closeAllTabs = (tabs: readonly Tab[], active: string): Closed => close(tabs, active, () => false)
