/**
 * Canonical spelling of a path: lower case, without percent encoding and trailing slashes, like the router matches paths.
 * Compare only these spellings; otherwise guard and router could mean different pages.
 */
export function toPlainPath(pathname: string): string {
  const trimmed = pathname.replace(/\/+$/, '') || '/'
  try {
    return decodeURIComponent(trimmed).toLowerCase()
  } catch {
    return trimmed.toLowerCase()
  }
}
