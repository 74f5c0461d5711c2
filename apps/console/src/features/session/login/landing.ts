import { toPlainPath } from '../../../shared/url/plain-path.ts'
import { toSafeRedirect } from './safe-redirect.ts'

/**
 * Where a login leads: to what its address asks for, unless somebody else had this tab before. Then to /, for
 * nobody lands on the page of another user.
 */
export const chooseLanding = (redirect: string | null, hadAnotherUser: boolean): string =>
  hadAnotherUser ? '/' : toSafeRedirect(redirect)

let landing: string | undefined

/** Notes that the next navigation, to this address, is where a login leads. */
export function noteLanding(address: string): void {
  landing = address
}

/** Whether a navigation to this path is where a login led; true once at most. */
export function takeLanding(pathname: string): boolean {
  const isLanding =
    landing !== undefined &&
    toPlainPath(new URL(landing, 'http://here.invalid').pathname) === toPlainPath(pathname)
  landing = undefined
  return isLanding
}
