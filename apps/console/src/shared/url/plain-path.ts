/**
 * Canonical spelling of a path, as the router matches it: without case, percent encoding and trailing slashes. Compare
 * only these spellings, or guard and router would see different pages.
 */
export function toPlainPath(pathname: string): string {
  const trimmed = pathname.replace(/\/+$/, '') || '/'
  try {
    return decodeURIComponent(trimmed).toLowerCase()
  } catch {
    return trimmed.toLowerCase()
  }
}
