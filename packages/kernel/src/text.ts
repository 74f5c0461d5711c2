/**
 * The text of `list` before its (n+1)-th comma: n counts commas from zero.
 * Throws a RangeError with the specification's own wording (section 5) when n names no comma.
 */
export function textBeforeComma(list: string, n: number): string {
  const parts = list.split(',')
  if (!Number.isInteger(n) || n < 0 || n >= parts.length - 1) {
    throw new RangeError('Invalid index: n should be within the range of available commas.')
  }
  return parts.slice(0, n + 1).join(',')
}
