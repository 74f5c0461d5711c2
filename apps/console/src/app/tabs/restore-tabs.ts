import { z } from 'zod'
import type { Page } from '../../shared/page.ts'
import { toTabKey } from './tab-key.ts'
import type { Tab } from './tabs.ts'

/** Tab of a page at a full path. */
export function toTab(page: Page, fullPath: string): Tab {
  const { search } = new URL(fullPath, 'http://console')
  const key = toTabKey(page.path, search, page)
  return { key, path: page.path, fullPath, affix: page.affix ?? false }
}

const storedPaths = z.array(z.string().regex(/^\/(?![/\\])/))

/** Stored form of the tabs: the full path of each. The rest follows from its page. */
export const storeTabs = (tabs: readonly Tab[]): string => JSON.stringify(tabs.map((tab) => tab.fullPath))

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Restores stored tabs whose page `findOpenable` still finds; none if the stored text cannot be read. */
export function restoreTabs(
  stored: string | null,
  findOpenable: (path: string) => Page | undefined,
): readonly Tab[] {
  const paths = storedPaths.safeParse(stored === null ? [] : readJson(stored)).data ?? []
  const tabs = new Map<string, Tab>()
  for (const fullPath of paths) {
    const page = findOpenable(new URL(fullPath, 'http://console').pathname)
    if (!page) continue
    const tab = toTab(page, fullPath)
    if (!tabs.has(tab.key)) tabs.set(tab.key, tab)
  }
  return [...tabs.values()]
}
