import type { ModuleGroup, PagePermission, RoutePath } from '@isotherm/contract/access/routes'
import type { TFunction } from 'i18next'
import type { ComponentType } from 'react'

/**
 * One page of the console, as its feature declares it in `features/<feature>/pages.ts` (`export const pages`).
 * Route, menu entry, breadcrumb, tab, guard, title, command palette and tree menu all derive from this entry.
 */
export interface PageDefinition {
  /** Its place in the route table of the contract; permission and group follow from it. */
  readonly path: RoutePath
  /** Text of menu, tab and breadcrumb: `(t) => t('fmreal.title', { ns: 'valves' })`. */
  readonly title: (t: TFunction) => string
  readonly icon?: ComponentType
  /** Loads the page's component: `() => import('./fmreal-page.tsx')` with a default export. */
  readonly load: () => Promise<{ readonly default: ComponentType }>
  /** Its tab cannot be closed. */
  readonly affix?: boolean
  /** Its view is built anew at every visit; otherwise a tab keeps its view while another is in front. */
  readonly noCache?: boolean
  /** The tree panel stands beside it. */
  readonly showsTree?: boolean
  /** Query parameters that make another record of the page, with a tab and a view of its own: `['id']`. */
  readonly identity?: readonly string[]
  /** Text under which the menu of a tree node offers this page for that node: 实时数据. */
  readonly nodeAction?: (t: TFunction) => string
}

/** A page with what the route table says of it. */
export interface Page extends PageDefinition {
  /** Permission value without which the page does not exist for the user; absent: it is for everybody. */
  readonly permission?: PagePermission
  /** Menu group; absent for a page that stands in the menu by itself. */
  readonly group?: ModuleGroup
}
