import { moduleGroups, routes } from '@isotherm/contract/access/routes'
import { toPlainPath } from '../../shared/url/plain-path.ts'
import { FRAME_PATH, LOGIN_PATH } from './guard-target.ts'

/**
 * Creates a function that returns the canonical spelling of a console path: /LOGIN, /login/ and /%6Cogin become /login.
 * Any other path is unchanged, so that /404 shows it as typed.
 */
export function createCanonical(pagePaths: readonly string[]): (pathname: string) => string {
  const groups = moduleGroups.map((group) => routes[group].path)
  const known = new Set<string>(['/404', LOGIN_PATH, FRAME_PATH, ...groups, ...pagePaths])
  return (pathname) => {
    const plain = toPlainPath(pathname)
    return known.has(plain) ? plain : pathname
  }
}
