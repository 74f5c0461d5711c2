import { findGuardedRoute, type GuardedPath } from '@isotherm/contract/access/routes'

/** Whether a user may open a page: with its permission and that of its group. */
export function mayOpen(path: GuardedPath, permitted: ReadonlySet<string>): boolean {
  const route = findGuardedRoute(path)
  return route !== undefined && permitted.has(route.permission) && permitted.has(route.group)
}
