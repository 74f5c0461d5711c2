import { type ReactNode, useCallback, useEffect, useLayoutEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Relogin } from '../../features/session/expiry/relogin.tsx'
import { signOut } from '../../features/session/sign-in/sign-out.ts'
import { useLostHolds } from '../../features/valves/holds/use-lost-holds.ts'
import { useIsMobile } from '../../shared/screen/use-width.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { ConsoleMenuProvider } from '../bar/console-menu-provider.tsx'
import { Navbar } from '../bar/navbar.tsx'
import { TopBar } from '../bar/top-bar.tsx'
import { toAddress, toLoginPath } from '../guard/guard-target.ts'
import { LazyHelp } from '../help/lazy-help.tsx'
import { saveRecent } from '../palette/recent.ts'
import { NodePagesProvider } from '../side/node-pages.tsx'
import { Side } from '../side/side.tsx'
import { closeDrawersAfterNavigation } from '../state/sidebar-store.ts'
import { useCurrentPage } from '../state/use-current-page.ts'
import { usePrefetch } from '../state/use-prefetch.ts'
import { useTitles } from '../state/use-titles.ts'
import { TabsBar } from '../tabs/tabs-bar.tsx'
import { recordVisit } from '../tabs/tabs-store.ts'
import { Banners } from './banners.tsx'
import { useTitleOfPage } from './document-title.tsx'
import { LazyPlaceLabels } from './lazy-place-labels.tsx'
import { LazySilence } from './lazy-silence.tsx'
import { LazyTreeEditor } from './lazy-tree-editor.tsx'
import { useIdleEnd } from './use-idle-end.ts'
import { useSessionUpkeep } from './use-session-upkeep.ts'
import { useVisitRecord } from './use-visit-record.ts'
import { Views } from './views.tsx'

/** Records the visited page in the tab strip and in the recently used list; in mobile mode closes the drawers. */
function useTabOfPage(): void {
  const page = useCurrentPage()
  const mobile = useIsMobile()
  const userId = useSession((session) => session.user?.id)
  const { pathname, search, hash } = useLocation()
  useLayoutEffect(() => recordVisit(page, `${pathname}${search}${hash}`), [page, pathname, search, hash])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a screen that becomes wide closes the drawers too
  useLayoutEffect(() => closeDrawersAfterNavigation(pathname), [pathname, mobile])
  useEffect(() => {
    if (page && userId !== undefined) saveRecent(localStorage, userId, { kind: 'page', path: page.path })
  }, [page, userId])
}

/** Frame of every page behind the login. */
export default function ShellLayout(): ReactNode {
  const navigate = useNavigate()
  const page = useCurrentPage()
  const titles = useTitles()
  const hasTree = page?.showsTree ?? false
  const leave = useCallback(() => {
    void navigate(toLoginPath(toAddress(window.location)))
  }, [navigate])
  useSessionUpkeep(leave)
  useIdleEnd(
    useCallback(() => {
      signOut()
      leave()
    }, [leave]),
  )
  useLostHolds()
  useTabOfPage()
  useVisitRecord()
  useTitleOfPage(page && titles.ofPage(page))
  usePrefetch()
  return (
    <div className="shell">
      <TopBar />
      <div className="shell-body">
        {hasTree && <Side />}
        <div className="shell-main">
          <Navbar hasTree={hasTree} />
          <TabsBar />
          <Banners />
          <NodePagesProvider>
            <ConsoleMenuProvider>
              <Views />
            </ConsoleMenuProvider>
          </NodePagesProvider>
        </div>
        <LazyHelp />
      </div>
      <Relogin onLost={leave} />
      <LazySilence />
      <LazyPlaceLabels />
      <LazyTreeEditor />
    </div>
  )
}
