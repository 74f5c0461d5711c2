import type { ModuleItem } from '@isotherm/contract/endpoints/administration/session'
import type { Page } from '../../shared/page.ts'
import { isExternal } from '../../shared/url/external.ts'

/** Whether a user may open a page: it needs no permission, or the user has its permission and that of its group. */
export const isPermitted = (page: Page, permitted: ReadonlySet<string>): boolean =>
  page.permission === undefined ||
  (permitted.has(page.permission) && (page.group === undefined || permitted.has(page.group)))

/** A module with an address outside the console, added by an administrator. */
export interface ExternalLink {
  readonly id: number
  readonly name: string
  readonly href: string
}

/** An entry of the menu that opens something. */
export type MenuLeaf =
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'link'; readonly link: ExternalLink }

/** A group with the pages that the user may open and its external links. */
export interface MenuGroup {
  readonly kind: 'group'
  /** Permission value of the group. */
  readonly group: string
  readonly leaves: readonly MenuLeaf[]
}

export type MenuEntry = MenuGroup | MenuLeaf

/** The entry of a module, if it leads anywhere for the user. */
function findLeaf(module: ModuleItem, pages: ReadonlyMap<string, Page>): MenuLeaf | undefined {
  const { id, name, url } = module
  if (isExternal(url)) return { kind: 'link', link: { id, name, href: url } }
  const page = pages.get(url)
  return page && { kind: 'page', page }
}

/**
 * The menu of a user in the order of the modules: first the pages without a module, then groups and external links. A group
 * without entries is left out; a link in a group that the user lacks is at the top.
 */
export function toMenu(pages: readonly Page[], modules: readonly ModuleItem[]): readonly MenuEntry[] {
  const ordered = [...modules].sort((left, right) => left.sort - right.sort || left.id - right.id)
  const permitted = new Set(ordered.map(({ url }) => url))
  const allowed = pages.filter((page) => isPermitted(page, permitted))
  const byPermission = new Map(allowed.map((page) => [page.permission ?? '', page]))
  const urls = new Map(ordered.map(({ id, url }) => [id, url]))
  const toGroup = (module: ModuleItem, leaf: MenuLeaf): string | undefined =>
    leaf.kind === 'page' ? leaf.page.group : urls.get(module.parentId ?? -1)
  const leavesOf = (group: string): readonly MenuLeaf[] =>
    ordered.flatMap((module) => {
      const leaf = findLeaf(module, byPermission)
      return leaf && toGroup(module, leaf) === group ? [leaf] : []
    })
  const entries = ordered.flatMap((module): readonly MenuEntry[] => {
    const leaf = findLeaf(module, byPermission)
    if (leaf) return toGroup(module, leaf) === undefined ? [leaf] : []
    const leaves = leavesOf(module.url)
    return leaves.length > 0 ? [{ kind: 'group', group: module.url, leaves }] : []
  })
  const single = allowed.filter(({ permission }) => permission === undefined)
  return [...single.map((page) => ({ kind: 'page' as const, page })), ...entries]
}

/** External icon addresses of modules, by permission value. */
export const findExternalIcons = (modules: readonly ModuleItem[]): ReadonlyMap<string, string> =>
  new Map(modules.filter(({ icon }) => isExternal(icon)).map(({ url, icon }) => [url, icon]))

/** Target of a group's own path: its default page, else its first permitted page; undefined without any. */
export function findGroupTarget(
  place: { readonly path: string; readonly first: string },
  pages: readonly Page[],
): string | undefined {
  const preferred = pages.find((page) => page.path === `${place.path}/${place.first}`)
  return (preferred ?? pages[0])?.path
}
