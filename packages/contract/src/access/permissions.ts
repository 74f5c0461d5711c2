import { type ModuleGroup, moduleGroups, type PagePermission, routes } from './routes.ts'

export type { ModuleGroup, PagePermission }

/**
 * Permission values by group, from the route table of section 2 of the specification. A module item carries
 * one in `url`; pages and endpoints declare the ones they require.
 */
export const modules: Readonly<Record<ModuleGroup, readonly PagePermission[]>> = {
  pewph: Object.values(routes.pewph.pages),
  prtjc: Object.values(routes.prtjc.pages),
  pcalr: Object.values(routes.pcalr.pages),
  pgis: Object.values(routes.pgis.pages),
  pstat: Object.values(routes.pstat.pages),
  pusers: Object.values(routes.pusers.pages),
  pgroup: Object.values(routes.pgroup.pages),
  pdev: Object.values(routes.pdev.pages),
  psys: Object.values(routes.psys.pages),
}

/** Any permission value. */
export type Permission = ModuleGroup | PagePermission

/** Every permission value, each group before its pages. */
export const permissions: readonly Permission[] = moduleGroups.flatMap((group) => [group, ...modules[group]])
