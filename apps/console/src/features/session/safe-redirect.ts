const HERE = 'http://here.invalid'

/**
 * Where to go after the login. Only a path of this console: an address that would lead to another site, or
 * back to the login, becomes /.
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
  if (target.pathname === '/login' || target.pathname === '/loginiframe') return '/'
  return `${target.pathname}${target.search}${target.hash}`
}
