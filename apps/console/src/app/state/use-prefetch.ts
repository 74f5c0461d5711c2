import { useEffect } from 'react'
import type { Page } from '../../shared/page.ts'
import { useIsMobile } from '../../shared/screen/use-width.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { isPermitted } from '../guard/menu.ts'
import { findPage, pages } from '../pages.ts'
import { queryClient } from '../query-client.ts'

/** The first page counts as loaded after this time without calls, ms. */
const IDLE_MS = 2_000
/** Time between two checks for running calls, ms. */
const POLL_MS = 250

function loadAhead(page: Page): void {
  page.load().catch((error: unknown) => console.warn(`${page.path} could not be loaded ahead`, error))
}

/** Loads the code of a page while the pointer is over its menu entry. */
export function prefetchPath(path: string): void {
  const page = findPage(path)
  if (page) loadAhead(page)
}

/** Whether the browser is set to save data. Only Chromium reports it. */
const isSavingData = (): boolean => {
  const browser: Navigator & { readonly connection?: { readonly saveData?: boolean } } = navigator
  return browser.connection?.saveData === true
}

/**
 * Loads the code of the permitted pages, one after another, when the first page is idle. Does nothing where data may cost
 * money: on a phone, and where the browser saves data.
 */
export function usePrefetch(): void {
  const permitted = useSession((session) => session.permitted)
  const mobile = useIsMobile()
  useEffect(() => {
    if (mobile || isSavingData()) return
    const waiting = pages.filter((page) => isPermitted(page, permitted))
    let timer: ReturnType<typeof setTimeout>
    const loadNext = async () => {
      const page = waiting.shift()
      if (!page) return
      await page.load().catch((error: unknown) => console.warn(`${page.path} was not loaded ahead`, error))
      timer = setTimeout(loadNext, 100)
    }
    const waitUntilIdle = (quietMs: number) => {
      timer = setTimeout(() => {
        const quiet = queryClient.isFetching() === 0 ? quietMs + POLL_MS : 0
        if (quiet >= IDLE_MS) void loadNext()
        else waitUntilIdle(quiet)
      }, POLL_MS)
    }
    waitUntilIdle(0)
    return () => clearTimeout(timer)
  }, [permitted, mobile])
}
