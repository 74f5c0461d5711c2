import type { ModuleItem } from '@isotherm/contract/endpoints/administration/session'
import { isExternal } from '../../shared/url/external.ts'

/** An address outside the console that an administrator put among the modules. */
export interface ExternalModule {
  readonly id: number
  readonly name: string
  readonly href: string
  /** Permission value of the group it stands in; absent: it stands by itself. */
  readonly group: string | undefined
}

/** The permitted modules that lead out of the console, in their own order. */
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

/** Addresses of the modules' own pictures, by permission value: only those that are external. */
export const findExternalIcons = (modules: readonly ModuleItem[]): ReadonlyMap<string, string> =>
  new Map(modules.filter(({ icon }) => isExternal(icon)).map(({ url, icon }) => [url, icon]))
