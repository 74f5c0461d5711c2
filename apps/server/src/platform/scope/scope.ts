/**
 * What a caller may see of the tree: everything, or the subtrees at `paths`. A path is a node's materialised
 * way from the project down, of numeric ids: '/1/4/12/'. A node is inside a subtree when its path starts with it.
 * A device is a leaf below its node, '/1/4/12/d7/': one that is granted by itself is a subtree of its own.
 */
export type Scope = { readonly kind: 'all' } | { readonly kind: 'paths'; readonly paths: readonly string[] }

export const scopeOfEverything: Scope = { kind: 'all' }

/** Path every node's path starts with. */
export const ROOT_PATH = '/'

const DEVICE_PATH = /\/d(?<id>\d+)\/$/

/** What paths name: subtrees of nodes, and single devices. */
export function splitPaths(paths: readonly string[]): {
  readonly nodePaths: readonly string[]
  readonly deviceIds: readonly number[]
} {
  const deviceIds = paths.flatMap((path) => {
    const id = DEVICE_PATH.exec(path)?.groups?.id
    return id === undefined ? [] : [Number(id)]
  })
  return { nodePaths: paths.filter((path) => !DEVICE_PATH.test(path)), deviceIds }
}

/** `paths` without those that lie below another of them, in order. */
export function toDisjointPaths(paths: Iterable<string>): readonly string[] {
  const disjoint: string[] = []
  for (const path of [...new Set(paths)].sort()) {
    const last = disjoint.at(-1)
    if (last === undefined || !path.startsWith(last)) disjoint.push(path)
  }
  return disjoint
}

/** The paths that lead to `path`: '/1/' and '/1/4/' to '/1/4/12/'. */
export const listAbove = (path: string): readonly string[] => {
  const ids = path.split('/').slice(1, -2)
  return ids.map((_, index) => `/${ids.slice(0, index + 1).join('/')}/`)
}

/** Whether a node is inside the scope. */
export const covers = (scope: Scope, path: string): boolean =>
  scope.kind === 'all' || scope.paths.some((granted) => path.startsWith(granted))

/** Whether a node is not inside the scope itself but leads to something that is. */
export const leadsInto = (scope: Scope, path: string): boolean =>
  scope.kind === 'paths' && !covers(scope, path) && scope.paths.some((granted) => granted.startsWith(path))

/** The parts of the subtree at `path` that the scope covers: itself, granted subtrees below it, or none. */
export function narrow(scope: Scope, path: string): readonly string[] {
  if (covers(scope, path)) return [path]
  return scope.kind === 'paths' ? scope.paths.filter((granted) => granted.startsWith(path)) : []
}

/** Whether a path lies in one of the subtrees at `paths`, in time that grows with its depth, not with their number. */
export function createCover(paths: Iterable<string>): (path: string) => boolean {
  const covered = new Set(paths)
  return (path) => {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      if (covered.has(path.slice(0, at + 1))) return true
    }
    return false
  }
}

/** Whether a node is inside the scope or leads to something that is, in time that grows with its depth. */
export function createSight(scope: Scope): (path: string) => boolean {
  if (scope.kind === 'all') return () => true
  const isInside = createCover(scope.paths)
  const above = new Set(scope.paths.flatMap(listAbove))
  return (path) => isInside(path) || above.has(path)
}

/** Whether all that lies below any of `paths` is inside the scope, in time that grows with their number. */
export const isInside = (scope: Scope, paths: readonly string[]): boolean =>
  scope.kind === 'all' || paths.every(createCover(scope.paths))

/** Ids of the projects that paths lie in: a path begins with its project. */
export const toProjectIds = (paths: readonly string[]): readonly number[] => [
  ...new Set(paths.map((path) => Number(path.split('/')[1]))),
]

/** Paths of what lies below both one of `left` and one of `right`, in time that grows with their number. */
export function intersectPaths(left: readonly string[], right: readonly string[]): readonly string[] {
  const isInLeft = createCover(left)
  const isInRight = createCover(right)
  return [...new Set([...left.filter(isInRight), ...right.filter(isInLeft)])]
}

/** Whether two scopes show the same; paths may stand in any order. */
export function isSameScope(left: Scope, right: Scope): boolean {
  if (left.kind === 'all' || right.kind === 'all') return left.kind === right.kind
  const paths = new Set(left.paths)
  return paths.size === new Set(right.paths).size && right.paths.every((path) => paths.has(path))
}
