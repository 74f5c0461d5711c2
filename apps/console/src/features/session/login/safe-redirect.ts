import { toPlainPath } from '../../../shared/url/plain-path.ts'

const HERE = 'http://here.invalid'

/** Public addresses are no target of a login. */
const POINTLESS: ReadonlySet<string> = new Set(['/login', '/loginiframe', '/404'])

/** Target after the login: a path of this console. Other sites, the login and /404 become /. */
export function toSafeRedirect(redirect: string | null): string {
  if (!redirect?.startsWith('/')) return '/'
  let target: URL
  try {
    target = new URL(redirect, HERE)
  } catch {
    return '/'
  }
  if (target.origin !== HERE || target.pathname.startsWith('//')) return '/'
  if (POINTLESS.has(toPlainPath(target.pathname))) return '/'
  return `${target.pathname}${target.search}${target.hash}`
}
