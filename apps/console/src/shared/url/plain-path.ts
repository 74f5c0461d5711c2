/**
 * The one spelling of a path that the router takes for the same: it ignores case, percent signs and slashes at
 * the end. Whoever compares paths compares these, or the guard and the router would see different pages.
 */
export function toPlainPath(pathname: string): string {
  const trimmed = pathname.replace(/\/+$/, '') || '/'
  try {
    return decodeURIComponent(trimmed).toLowerCase()
  } catch {
    return trimmed.toLowerCase()
  }
}
