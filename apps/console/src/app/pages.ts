import { type ModuleGroup, modules } from '@isotherm/contract/permissions'
import type { PageDefinition } from '../shared/page.ts'

const found = import.meta.glob<{ readonly pages: readonly PageDefinition[] }>('../features/*/pages.ts', {
  eager: true,
})

/** Every page of the console, from the features' own lists. */
export const pages: readonly PageDefinition[] = Object.values(found).flatMap((feature) => feature.pages)

const byPath = new Map<string, PageDefinition>(pages.map((page) => [page.path, page]))

export const findPage = (path: string): PageDefinition | undefined => byPath.get(path)

/** Parent path of each group and the child it leads to by default (specification, section 2). */
export const groupPaths: Readonly<Record<ModuleGroup, { readonly path: string; readonly first: string }>> = {
  pewph: { path: '/ewph', first: 'fmreal' },
  prtjc: { path: '/rtjc', first: 'rtreal' },
  pcalr: { path: '/calr', first: 'caldata' },
  pgis: { path: '/gis', first: 'gisshow' },
  pstat: { path: '/stat', first: 'statsys' },
  pusers: { path: '/users', first: 'usersetting' },
  pgroup: { path: '/group', first: 'groupmanage' },
  pdev: { path: '/dev', first: 'caldevmanager' },
  psys: { path: '/sys', first: 'modelsys' },
}

export const groupNames = Object.keys(modules) as readonly ModuleGroup[]
