const SLASH = '/'.charCodeAt(0)
const ZERO = '0'.charCodeAt(0)
/** First character of a device's step in a path (platform/scope/scope.ts). */
const DEVICE = 'd'.charCodeAt(0)

/**
 * Calls `visit` for each node of a path from the top until it returns true. Returns whether a call returned true. Allocates
 * nothing, because thousands of paths are visited per second.
 */
export function someNode(path: string, visit: (id: number, end: number) => boolean): boolean {
  let id = 0
  for (let at = 1; at < path.length; at += 1) {
    const char = path.charCodeAt(at)
    if (char === DEVICE) return false
    if (char !== SLASH) id = id * 10 + char - ZERO
    else {
      if (visit(id, at + 1)) return true
      id = 0
    }
  }
  return false
}
