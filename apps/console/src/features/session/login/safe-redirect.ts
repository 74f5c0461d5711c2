import { toPlainPath } from '../../../shared/url/plain-path.ts'

const HERE = 'http://here.invalid'

/** Public addresses: nobody signs in to see one of them. */
const POINTLESS: ReadonlySet<string> = new Set(['/login', '/loginiframe', '/404'])

/**
 * Where to go after the login. Only a path of this console: an address that would lead to another site, or
 * back to the login or to /404, becomes /.
 */
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
