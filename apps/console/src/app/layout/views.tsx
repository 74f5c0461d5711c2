import { Activity, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import {
  type Location,
  UNSAFE_LocationContext as LocationContext,
  NavigationType,
  useLocation,
  useOutlet,
} from 'react-router'
import { LoadingState } from '../../shared/ui/states.tsx'
import { findPage } from '../pages.ts'
import { useTabs } from '../tabs/tabs-store.ts'

/** Views kept behind the one in front; the one not seen for the longest time goes first. */
const MOST_VIEWS = 8

interface View {
  readonly path: string
  readonly location: Location
  readonly element: ReactNode
}

/** The view in front comes last; views of closed tabs and of pages that want no cache are gone. */
function arrange(views: readonly View[], front: View, openPaths: ReadonlySet<string>): readonly View[] {
  const kept = views.filter(
    ({ path }) => path !== front.path && openPaths.has(path) && !findPage(path)?.noCache,
  )
  return [...kept, front].slice(-MOST_VIEWS)
}

/**
 * The pages of the open tabs. The one in front is visible; the others are kept as they were left: hidden,
 * their effects and live subscriptions stopped, and with the address they had, so that a page never reads
 * the query of another.
 */
export function Views(): ReactNode {
  const location = useLocation()
  const element = useOutlet()
  const { tabs, refreshes } = useTabs()
  const [views, setViews] = useState<readonly View[]>([])
  const container = useRef<HTMLElement>(null)
  const path = location.pathname
  const front = views.at(-1)
  if (front?.path !== path || front.location !== location || front.element !== element) {
    setViews(arrange(views, { path, location, element }, new Set(tabs.map((tab) => tab.path))))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation to another page starts at its top
  useEffect(() => {
    container.current?.scrollTo(0, 0)
  }, [path])
  return (
    <main className="views" ref={container}>
      {views.map((view) => (
        <Activity
          key={`${view.path} ${refreshes.get(view.path) ?? 0}`}
          mode={view.path === path ? 'visible' : 'hidden'}
        >
          <LocationContext value={{ location: view.location, navigationType: NavigationType.Push }}>
            <Suspense fallback={<LoadingState />}>{view.element}</Suspense>
          </LocationContext>
        </Activity>
      ))}
    </main>
  )
}
