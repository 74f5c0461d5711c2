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
  /** Its view is created at every visit. Without this flag, the view of a tab is cached while another tab is in front. */
  readonly noCache?: boolean
  /** The tree panel is shown beside the page. */
  readonly showsTree?: boolean
  /** Query parameters that name a record of the page. Each record has its own tab and view: `['id']`. */
  readonly identity?: readonly string[]
  /** Label of this page in the menu of a tree node, such as 实时数据. */
  readonly nodeAction?: (t: TFunction) => string
}

/** A page with its entry in the route table. */
export interface Page extends PageDefinition {
  /** Required permission value; absent for a page for all users. */
  readonly permission?: PagePermission
  /** Menu group; absent for a top-level page. */
  readonly group?: ModuleGroup
}
