const SLASH = '/'.charCodeAt(0)
const ZERO = '0'.charCodeAt(0)
/** What a device's own step begins with (platform/scope.ts). */
const DEVICE = 'd'.charCodeAt(0)

/**
 * Calls `visit` for each node on a path from the top, until it answers true: nothing is made of it, for thousands of
 * paths are looked at in a second. Whether it was ended.
 */
export function someNode(path: string, visit: (id: number, end: number) => boolean): boolean {
  let id = 0
  for (let at = 1; at < path.length; at += 1) {
    const sign = path.charCodeAt(at)
    if (sign === DEVICE) return false
    if (sign !== SLASH) id = id * 10 + sign - ZERO
    else {
      if (visit(id, at + 1)) return true
      id = 0
    }
  }
  return false
}
