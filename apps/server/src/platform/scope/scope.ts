/**
 * The part of the tree that a caller may see: everything, or the subtrees at `paths`. A path is the materialised path of a
 * node: the numeric ids from the project down, '/1/4/12/'. A node is inside a subtree if its path starts with the
 * subtree's path. A device is a leaf below its node, '/1/4/12/d7/'; a device granted by itself is a subtree.
 */
export type Scope =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'paths'
      readonly paths: readonly string[]
      /** The caller would see everything, and this server serves some companies only: the paths are their projects. */
      readonly isWholeCell?: true
    }

export const scopeOfEverything: Scope = { kind: 'all' }

/** Whether the caller sees everything that this server serves. */
export const seesEverything = (scope: Scope): boolean => scope.kind === 'all' || scope.isWholeCell === true

/** Prefix of every path. */
export const ROOT_PATH = '/'

const DEVICE_PATH = /\/d(?<id>\d+)\/$/

/** Separates paths into subtrees of nodes and single devices. */
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

/** Sorts paths and removes those that lie below another one. */
export function toDisjointPaths(paths: Iterable<string>): readonly string[] {
  const disjoint: string[] = []
  for (const path of [...new Set(paths)].sort()) {
    const last = disjoint.at(-1)
    if (last === undefined || !path.startsWith(last)) disjoint.push(path)
  }
  return disjoint
}

/** Paths of the ancestors: '/1/' and '/1/4/' for '/1/4/12/'. */
export const listAbove = (path: string): readonly string[] => {
  const ids = path.split('/').slice(1, -2)
  return ids.map((_, index) => `/${ids.slice(0, index + 1).join('/')}/`)
}

/** Whether a node is inside the scope. */
export const covers = (scope: Scope, path: string): boolean =>
  scope.kind === 'all' || scope.paths.some((granted) => path.startsWith(granted))

/** Parts of the subtree at `path` that the scope covers: the subtree itself, granted subtrees below it, or none. */
export function narrow(scope: Scope, path: string): readonly string[] {
  if (covers(scope, path)) return [path]
  return scope.kind === 'paths' ? scope.paths.filter((granted) => granted.startsWith(path)) : []
}

/** Tests whether a path lies in one of the subtrees. The time grows with the depth of the path, not with the number of subtrees. */
export function createCover(paths: Iterable<string>): (path: string) => boolean {
  const covered = new Set(paths)
  return (path) => {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      if (covered.has(path.slice(0, at + 1))) return true
    }
    return false
  }
}

/** Tests whether a node is inside the scope or an ancestor of a node inside it. The time grows with its depth. */
export function createVisibility(scope: Scope): (path: string) => boolean {
  if (scope.kind === 'all') return () => true
  const isInside = createCover(scope.paths)
  const above = new Set(scope.paths.flatMap(listAbove))
  return (path) => isInside(path) || above.has(path)
}

/** Whether the subtrees at `paths` are all inside the scope. The time grows with the number of paths. */
export const isInside = (scope: Scope, paths: readonly string[]): boolean =>
  scope.kind === 'all' || paths.every(createCover(scope.paths))

/** Ids of the projects of paths: a path begins with its project. */
export const toProjectIds = (paths: readonly string[]): readonly number[] => [
  ...new Set(paths.map((path) => Number(path.split('/')[1]))),
]

/** Paths of the subtrees that lie below both lists. The time grows with the number of paths. */
export function intersectPaths(left: readonly string[], right: readonly string[]): readonly string[] {
  const isInLeft = createCover(left)
  const isInRight = createCover(right)
  return [...new Set([...left.filter(isInRight), ...right.filter(isInLeft)])]
}

/** Whether two scopes are equal; the order of paths does not matter. */
export function isSameScope(left: Scope, right: Scope): boolean {
  if (left.kind === 'all' || right.kind === 'all') return left.kind === right.kind
  const paths = new Set(left.paths)
  return paths.size === new Set(right.paths).size && right.paths.every((path) => paths.has(path))
}
