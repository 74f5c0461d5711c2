import { useEffect } from 'react'
import type { Page } from '../../shared/page.ts'
import { useIsMobile } from '../../shared/screen/use-width.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { isPermitted } from '../guard/menu.ts'
import { findPage, pages } from '../pages.ts'
import { queryClient } from '../query-client.ts'

/** Nothing was asked of the server for so long: the page has its data, and the line is free, ms. */
const REST_MS = 2_000
const LOOK_MS = 250

function loadAhead(page: Page): void {
  page.load().catch((error: unknown) => console.warn(`${page.path} could not be loaded ahead`, error))
}

/** Loads a page's code when it is likely to be opened: the pointer is over its menu entry. */
export function prefetchPath(path: string): void {
  const page = findPage(path)
  if (page) loadAhead(page)
}

/**
 * Loads the code of the pages the user may open, one after another, once the first has come to rest; not on a
 * phone, whose line may be paid by the byte.
 */
export function usePrefetch(): void {
  const permitted = useSession((session) => session.permitted)
  const mobile = useIsMobile()
  useEffect(() => {
    if (mobile) return
    const waiting = pages.filter((page) => isPermitted(page, permitted))
    let timer: ReturnType<typeof setTimeout>
    const loadNext = async () => {
      const page = waiting.shift()
      if (!page) return
      await page.load().catch((error: unknown) => console.warn(`${page.path} was not loaded ahead`, error))
      timer = setTimeout(loadNext, 100)
    }
    const rest = (quietMs: number) => {
      timer = setTimeout(() => {
        const quiet = queryClient.isFetching() === 0 ? quietMs + LOOK_MS : 0
        if (quiet >= REST_MS) void loadNext()
        else rest(quiet)
      }, LOOK_MS)
    }
    rest(0)
    return () => clearTimeout(timer)
  }, [permitted, mobile])
}
