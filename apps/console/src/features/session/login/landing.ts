import { toPlainPath } from '../../../shared/url/plain-path.ts'
import { toSafeRedirect } from './safe-redirect.ts'

/** Address to open after a login: the requested one, or / if another user had this tab before. */
export const chooseLanding = (redirect: string | null, hadAnotherUser: boolean): string =>
  hadAnotherUser ? '/' : toSafeRedirect(redirect)

/** Address that is opened after a login. If the user may not see it, the start page opens instead of the page /404. */
let landing: string | undefined

/** Records that the next navigation to this address follows a login. */
export function storeLanding(address: string): void {
  landing = address
}

/** Whether a navigation to this path follows a login; true at most once. */
export function takeLanding(pathname: string): boolean {
  const isLanding =
    landing !== undefined &&
    toPlainPath(new URL(landing, 'http://here.invalid').pathname) === toPlainPath(pathname)
  landing = undefined
  return isLanding
}
