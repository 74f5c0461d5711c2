import { Activity, type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react'
import {
  type Location,
  UNSAFE_LocationContext as LocationContext,
  NavigationType,
  useLocation,
  useOutlet,
} from 'react-router'
import { LoadingState } from '../../shared/ui/states.tsx'
import { findPage } from '../pages.ts'
import { toTabKey } from '../tabs/tab-key.ts'
import { useTabs } from '../tabs/tabs-store.ts'
import { arrangeViews, type View } from '../tabs/views.ts'

interface Shown {
  readonly location: Location
  readonly element: ReactNode
}

/** The view in front: the current page element with the key of its tab. */
function useFront(views: readonly View<Shown>[]): Omit<View<Shown>, 'seen'> {
  const location = useLocation()
  const element = useOutlet()
  const refreshes = useTabs((state) => state.refreshes)
  const page = findPage(location.pathname)
  const key = page ? toTabKey(page.path, location.search, page) : location.pathname
  const refresh = refreshes.get(key) ?? 0
  const known = views.find((view) => view.key === key && view.refresh === refresh)?.content
  const content = known?.location === location && known.element === element ? known : { location, element }
  return { key, refresh, noCache: page?.noCache ?? false, content }
}

/**
 * Views of the open tabs. Only one is visible. The others are cached: they are hidden, and their effects and live
 * subscriptions are stopped. Each has its own address, so a page never reads the query of another page (ADR 0016).
 */
export function Views(): ReactNode {
  const { tabs, refreshes } = useTabs()
  const [views, setViews] = useState<readonly View<Shown>[]>([])
  const container = useRef<HTMLElement>(null)
  const front = useFront(views)
  const open = new Set(tabs.map((tab) => tab.key))
  const arranged = arrangeViews(
    views,
    front,
    ({ key, refresh }) => open.has(key) && (refreshes.get(key) ?? 0) === refresh,
  )
  if (arranged !== views) setViews(arranged)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation to another view starts at its top
  useLayoutEffect(() => {
    container.current?.scrollTo(0, 0)
  }, [front.key])
  return (
    <main className="views" ref={container}>
      {arranged.map(({ key, refresh, content }) => (
        <Activity key={`${key} ${refresh}`} mode={key === front.key ? 'visible' : 'hidden'}>
          <LocationContext value={{ location: content.location, navigationType: NavigationType.Push }}>
            <Suspense fallback={<LoadingState />}>{content.element}</Suspense>
          </LocationContext>
        </Activity>
      ))}
    </main>
  )
}
