import type { ModuleItem } from '@isotherm/contract/endpoints/administration/session'
import { isExternal } from '../../shared/url/external.ts'

/** A module with an address outside the console, added by an administrator. */
export interface ExternalModule {
  readonly id: number
  readonly name: string
  readonly href: string
  /** Permission value of its menu group; absent for a top-level entry. */
  readonly group: string | undefined
}

/** The permitted modules with an external address, in their configured order. */
export function findExternalModules(modules: readonly ModuleItem[]): readonly ExternalModule[] {
  const urls = new Map(modules.map((module) => [module.id, module.url]))
  return modules
    .filter((module) => isExternal(module.url))
    .toSorted((left, right) => left.sort - right.sort)
    .map(({ id, name, url, parentId }) => ({
      id,
      name,
      href: url,
      group: parentId === null ? undefined : urls.get(parentId),
    }))
}

/** External icon addresses of modules, by permission value. */
export const findExternalIcons = (modules: readonly ModuleItem[]): ReadonlyMap<string, string> =>
  new Map(modules.filter(({ icon }) => isExternal(icon)).map(({ url, icon }) => [url, icon]))
