import { type ModuleGroup, moduleGroups, routes } from '@isotherm/contract/access/routes'
import type { Page } from '../../shared/page.ts'
import { findGroupTarget, isPermitted } from './menu.ts'

/** What an address leads to for a user. */
export type Place =
  | { readonly kind: 'page'; readonly page: Page }
  /** The path of a group; `to` is the page that opens instead. */
  | { readonly kind: 'parent'; readonly to: string }
  /** It exists, but the user has no permission. `page` is absent for a group without a permitted page. */
  | { readonly kind: 'lacking'; readonly group: ModuleGroup | undefined; readonly page: Page | undefined }
  | { readonly kind: 'unknown' }

/** The allowed routes of one user. */
export interface RouteTable {
  /** Permitted pages by path. */
  readonly allowed: ReadonlyMap<string, Page>
  readonly find: (pathname: string) => Place
}

const unknown: Place = { kind: 'unknown' }

/**
 * Builds the routes of a user from all pages and the values of the permitted modules (specification, section 2).
 * Rebuilt when the values change, so after each login and logout.
 */
export function buildRouteTable(pages: readonly Page[], permitted: ReadonlySet<string>): RouteTable {
  const known = new Map<string, Page>(pages.map((page) => [page.path, page]))
  const allowed = new Map([...known].filter(([, page]) => isPermitted(page, permitted)))

  function findParent(pathname: string): Place {
    const group = moduleGroups.find((each) => routes[each].path === pathname)
    if (group === undefined) return unknown
    const inGroup = (page: Page) => page.group === group
    // Order of the specification, not of the features.
    const order = Object.keys(routes[group].pages).map((child) => `${routes[group].path}/${child}`)
    const own = [...allowed.values()]
      .filter(inGroup)
      .toSorted((left, right) => order.indexOf(left.path) - order.indexOf(right.path))
    const to = findGroupTarget(routes[group], own)
    if (to !== undefined) return { kind: 'parent', to }
    return pages.some(inGroup) ? { kind: 'lacking', group, page: undefined } : unknown
  }

  return {
    allowed,
    find(address) {
      const pathname = address.length > 1 ? address.replace(/\/+$/, '') : address
      const page = allowed.get(pathname)
      if (page) return { kind: 'page', page }
      const lacking = known.get(pathname)
      return lacking ? { kind: 'lacking', group: lacking.group, page: lacking } : findParent(pathname)
    },
  }
}
