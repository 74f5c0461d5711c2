import { modules } from '@isotherm/contract/permissions'
import { type ModuleGroup, moduleGroups, routes } from '@isotherm/contract/routes'
import {
  createBrowserRouter,
  type MiddlewareFunction,
  type RouteObject,
  redirect,
  replace,
} from 'react-router'
import { toSafeRedirect } from '../features/session/safe-redirect.ts'
import type { Page } from '../shared/page.ts'
import { useSession } from '../shared/session/session-store.ts'
import { LoadingState } from '../shared/ui/states.tsx'
import { guard } from './guard/guard.ts'
import { findGroupTarget, isPermitted, toMenu } from './guard/menu.ts'
import { NotFoundPage } from './layout/not-found-page.tsx'
import { PageError } from './layout/page-error.tsx'
import { pages } from './pages.ts'
import { queryClient } from './query-client.ts'
import { noteRefresh } from './tabs/tabs-store.ts'

const NOT_FOUND_PATH = '/404'
const REFRESH_PREFIX = '/redirect'

const permittedOnly =
  (page: Page): MiddlewareFunction =>
  (_args, next) => {
    if (!isPermitted(page, useSession.getState().permitted)) throw redirect(NOT_FOUND_PATH)
    return next()
  }

const toRoute = (page: Page): RouteObject => ({
  path: page.path,
  middleware: [permittedOnly(page)],
  lazy: async () => ({ Component: (await page.load()).default }),
  errorElement: <PageError />,
})

function findGroupPath(group: ModuleGroup): string {
  const { permitted } = useSession.getState()
  const own = toMenu(pages, modules, permitted).groups.find((each) => each.group === group)
  return findGroupTarget(routes[group], own?.pages ?? []) ?? NOT_FOUND_PATH
}

/** Refreshing a tab: its view is made anew and what it had loaded is loaded again. */
async function refreshView(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const target = toSafeRedirect(`${pathname.slice(REFRESH_PREFIX.length)}${search}`)
  noteRefresh(target.split('?')[0] ?? target)
  await queryClient.invalidateQueries({ refetchType: 'none' })
  return replace(target)
}

export const router = createBrowserRouter([
  {
    middleware: [guard],
    hydrateFallbackElement: <LoadingState />,
    errorElement: <PageError />,
    children: [
      {
        path: '/login',
        lazy: async () => ({ Component: (await import('../features/session/login-page.tsx')).default }),
      },
      {
        path: '/loginiframe',
        lazy: async () => ({
          Component: (await import('../features/session/login-page.tsx')).LoginFramePage,
        }),
      },
      {
        lazy: async () => ({ Component: (await import('./layout/shell-layout.tsx')).default }),
        children: [
          { path: '/', loader: () => redirect('/dashboard') },
          ...pages.map(toRoute),
          ...moduleGroups.map((group) => ({
            path: routes[group].path,
            loader: () => redirect(findGroupPath(group)),
          })),
          { path: `${REFRESH_PREFIX}/*`, loader: ({ request }) => refreshView(request) },
          { path: NOT_FOUND_PATH, element: <NotFoundPage /> },
          { path: '*', loader: () => redirect(NOT_FOUND_PATH) },
        ],
      },
    ],
  },
])
