import type { ModuleGroup } from '@isotherm/contract/access/permissions'
import type { Page } from '../../shared/page.ts'

/** Whether a user may open a page: it needs no permission, or the user has its permission and that of its group. */
export const isPermitted = (page: Page, permitted: ReadonlySet<string>): boolean =>
  page.permission === undefined ||
  (permitted.has(page.permission) && (page.group === undefined || permitted.has(page.group)))

/** A group with the pages that the user may open, in the order of the permissions in the contract. */
export interface MenuGroup {
  readonly group: ModuleGroup
  readonly pages: readonly Page[]
}

export interface Menu {
  /** Pages without a group. */
  readonly single: readonly Page[]
  readonly groups: readonly MenuGroup[]
}

/** The menu of a user: permitted pages, without empty groups. */
export function toMenu(
  pages: readonly Page[],
  order: Readonly<Record<ModuleGroup, readonly string[]>>,
  permitted: ReadonlySet<string>,
): Menu {
  const allowed = pages.filter((page) => isPermitted(page, permitted))
  const names = Object.keys(order) as readonly ModuleGroup[]
  const groups = names.map((group) => {
    const rank = (page: Page) => order[group].indexOf(page.permission ?? '')
    const own = allowed.filter((page) => page.group === group)
    return { group, pages: own.toSorted((left, right) => rank(left) - rank(right)) }
  })
  return {
    single: allowed.filter((page) => page.group === undefined),
    groups: groups.filter((group) => group.pages.length > 0),
  }
}

/** Target of a group's own path: its default page, else its first permitted page; undefined without any. */
export function findGroupTarget(
  place: { readonly path: string; readonly first: string },
  pages: readonly Page[],
): string | undefined {
  const preferred = pages.find((page) => page.path === `${place.path}/${place.first}`)
  return (preferred ?? pages[0])?.path
}
