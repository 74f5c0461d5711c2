import { findGuardedRoute } from '@isotherm/contract/access/routes'
import type { Page, PageDefinition } from '../shared/page.ts'
import { openTexts } from './locales.ts'
import { toNamespace } from './texts/early-texts.ts'

const found = import.meta.glob<{ readonly pages: readonly PageDefinition[] }>('../features/*/pages.ts', {
  eager: true,
})

function toPage(definition: PageDefinition, namespace: string): Page {
  const load = async () => {
    const [page] = await Promise.all([definition.load(), openTexts(namespace)])
    return page
  }
  const route = findGuardedRoute(definition.path)
  return { ...definition, load, ...(route ? { permission: route.permission, group: route.group } : {}) }
}

/** Every page of the console, from the features' own lists. */
export const pages: readonly Page[] = Object.entries(found).flatMap(([path, feature]) =>
  feature.pages.map((page) => toPage(page, toNamespace(path))),
)

const byPath = new Map<string, Page>(pages.map((page) => [page.path, page]))

export const findPage = (path: string): Page | undefined => byPath.get(path)
