import type { ModuleGroup, PagePermission } from '@isotherm/contract/permissions'
import type { TFunction } from 'i18next'
import type { ComponentType } from 'react'

/**
 * One page of the console. Route, menu entry, breadcrumb, tab, guard and title all derive from this entry;
 * features list theirs in `features/<feature>/pages.ts` as `export const pages`.
 */
export interface PageDefinition {
  /** Path with its group's prefix, as section 2 of the specification names it: /ewph/fmreal. */
  readonly path: `/${string}`
  /** Permission value without which the page does not exist for the user. */
  readonly permission?: PagePermission
  /** Menu group; absent for a page that stands in the menu by itself. */
  readonly group?: ModuleGroup
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
}
