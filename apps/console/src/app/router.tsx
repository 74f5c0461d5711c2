import { HOME_PATH, moduleGroups, routes } from '@isotherm/contract/access/routes'
import type { ComponentType } from 'react'
import {
  createBrowserRouter,
  type LoaderFunctionArgs,
  type MiddlewareFunction,
  type RouteObject,
  redirect,
  replace,
} from 'react-router'
import { takeLanding } from '../features/session/login/landing.ts'
import { toSafeRedirect } from '../features/session/login/safe-redirect.ts'
import { i18n } from '../shared/i18n/i18n.ts'
import { showNotice } from '../shared/notices/notices.ts'
import type { Page } from '../shared/page.ts'
import { useSession } from '../shared/session/session-store.ts'
import { LoadingState } from '../shared/ui/states.tsx'
import { NotFoundPage } from './fallback/not-found-page.tsx'
import { PageError } from './fallback/page-error.tsx'
import { guard } from './guard/guard.ts'
import { toAddress } from './guard/guard-target.ts'
import { storeNotFoundPlace } from './guard/not-found-place.ts'
import { buildRouteTable } from './guard/route-table.ts'
import { pages } from './pages.ts'
import { queryClient } from './query-client.ts'
import { recordRefresh } from './tabs/tabs-store.ts'

const NOT_FOUND_PATH = '/404'
const REFRESH_PREFIX = '/redirect'

let table = buildRouteTable(pages, useSession.getState().permitted)

// Rebuild the routes when the permitted modules change, at login and logout.
useSession.subscribe(({ permitted }, before) => {
  if (permitted !== before.permitted) table = buildRouteTable(pages, permitted)
})

/** Redirects and replaces the history entry, except after a click on a link. */
const redirectTo = (to: string): Response =>
  router.state.initialized && router.state.navigation.historyAction !== 'POP' ? redirect(to) : replace(to)

/** Passes navigations to permitted pages; redirects all others to /404. */
const permittedOnly: MiddlewareFunction = ({ request }, next) => {
  const { pathname } = new URL(request.url)
  const isLanding = takeLanding(pathname)
  const place = table.find(pathname)
  if (place.kind === 'page') return next()
  if (place.kind === 'parent') throw redirectTo(place.to)
  if (isLanding) {
    showNotice('info', i18n.t('guard.landedElsewhere', { address: pathname }))
    throw replace('/')
  }
  storeNotFoundPlace(pathname, place)
  throw redirectTo(NOT_FOUND_PATH)
}

/**
 * Loads the component of a page. A failure is thrown when the component renders. (If `lazy` failed, the router would show
 * neither the error nor the shell.)
 */
async function loadComponent(page: Page): Promise<ComponentType> {
  try {
    return (await page.load()).default
  } catch (error) {
    return () => {
      throw error
    }
  }
}

const toRoute = (page: Page): RouteObject => ({
  path: page.path,
  middleware: [permittedOnly],
  lazy: async () => ({ Component: await loadComponent(page) }),
  errorElement: <PageError />,
})

/** A path without a page. Its middleware always redirects before the loader runs. */
const toRedirectRoute = (path: string): RouteObject => ({
  path,
  middleware: [permittedOnly],
  loader: () => replace(NOT_FOUND_PATH),
})

const isInFront = (address: string): boolean => toAddress(router.state.location) === address

/** Refreshes a tab: creates a new view and refetches its data. */
async function refreshView({ request, url }: LoaderFunctionArgs): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const target = toSafeRedirect(`${pathname.slice(REFRESH_PREFIX.length)}${search}${url.hash}`)
  recordRefresh(target)
  await queryClient.invalidateQueries({ refetchType: 'none' })
  // A refreshed background tab comes to the front as a new history entry, so going back returns to the previous tab.
  return isInFront(target) ? replace(target) : redirectTo(target)
}

export const router = createBrowserRouter([
  {
    middleware: [guard],
    hydrateFallbackElement: <LoadingState />,
    errorElement: <PageError />,
    children: [
      {
        path: '/login',
        lazy: async () => ({ Component: (await import('../features/session/login/login-page.tsx')).default }),
      },
      {
        path: '/loginiframe',
        lazy: async () => ({
          Component: (await import('../features/session/login/login-page.tsx')).LoginFramePage,
        }),
      },
      {
        lazy: async () => ({ Component: (await import('./layout/shell-layout.tsx')).default }),
        children: [
          { path: '/', loader: () => redirectTo(HOME_PATH) },
          ...pages.map(toRoute),
          ...moduleGroups.map((group) => toRedirectRoute(routes[group].path)),
          { path: `${REFRESH_PREFIX}/*`, loader: refreshView },
          { path: NOT_FOUND_PATH, element: <NotFoundPage /> },
          toRedirectRoute('*'),
        ],
      },
    ],
  },
])
