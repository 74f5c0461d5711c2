import { findGuardedRoute } from '@isotherm/contract/routes'
import type { Page, PageDefinition } from '../shared/page.ts'

const found = import.meta.glob<{ readonly pages: readonly PageDefinition[] }>('../features/*/pages.ts', {
  eager: true,
})

function toPage(definition: PageDefinition): Page {
  const route = findGuardedRoute(definition.path)
  return route ? { ...definition, permission: route.permission, group: route.group } : definition
}

/** Every page of the console, from the features' own lists. */
export const pages: readonly Page[] = Object.values(found).flatMap((feature) => feature.pages.map(toPage))

const byPath = new Map<string, Page>(pages.map((page) => [page.path, page]))

export const findPage = (path: string): Page | undefined => byPath.get(path)
