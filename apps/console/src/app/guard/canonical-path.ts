import { moduleGroups, routes } from '@isotherm/contract/access/routes'
import { toPlainPath } from '../../shared/url/plain-path.ts'
import { FRAME_PATH, LOGIN_PATH } from './guard-target.ts'

/**
 * Makes what gives each path of the console its one spelling: /LOGIN, /login/ and /%6Cogin are /login. Every
 * other path stays as it is, for /404 to name it as it was asked for.
 */
export function createCanonical(pagePaths: readonly string[]): (pathname: string) => string {
  const groups = moduleGroups.map((group) => routes[group].path)
  const known = new Set<string>(['/404', LOGIN_PATH, FRAME_PATH, ...groups, ...pagePaths])
  return (pathname) => {
    const plain = toPlainPath(pathname)
    return known.has(plain) ? plain : pathname
  }
}
