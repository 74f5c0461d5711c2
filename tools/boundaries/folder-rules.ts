import { posix } from 'node:path'
import type { Import } from './imports.ts'
import { isTest } from './project-parts.ts'
import type { Violation } from './violation.ts'

const MAX_FILES = 25
const COUNTED = /\.(?:ts|tsx|css)$/

/** Folders that may hold more files, each with the reason. */
const allowedFolders: Readonly<Record<string, string>> = {}

/** Reports folders with more than 25 source files, tests included. */
export function checkFolderSizes(files: readonly string[]): readonly Violation[] {
  const sizes = new Map<string, number>()
  for (const file of files) {
    if (!COUNTED.test(file)) continue
    const folder = posix.dirname(file)
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1)
  }
  return [...sizes]
    .filter(([folder, size]) => size > MAX_FILES && !Object.hasOwn(allowedFolders, folder))
    .map(([folder, size]) => ({ file: folder, line: 1, rule: 'folder-size', found: `${size} files` }))
}

/** Parts of the project in which sub-folders must import each other in one direction only. */
const PART =
  /^(?:apps\/server\/src\/modules\/[^/]+|apps\/server\/src\/platform|apps\/console\/src\/(?:features\/[^/]+|app|shared)|apps\/(?:gateway|twin|launcher)\/src|packages\/[^/]+\/src)\//

interface Edge {
  readonly from: string
  readonly to: string
  readonly file: string
  readonly line: number
  readonly specifier: string
}

/** The part that contains a file, and the sub-folder of that part; undefined for files directly in the part. */
function toPlace(file: string): { readonly part: string; readonly folder: string } | undefined {
  const part = PART.exec(file)?.[0]
  if (part === undefined) return undefined
  const [folder, ...rest] = file.slice(part.length).split('/')
  return folder === undefined || rest.length === 0 ? undefined : { part, folder: part + folder }
}

/** The imports from one sub-folder of a part into another; a test may import anything. */
function listEdges(file: string, imports: readonly Import[]): readonly Edge[] {
  const from = toPlace(file)
  if (from === undefined || isTest(file)) return []
  return imports.flatMap(({ target, line, specifier }) => {
    const path =
      target.kind === 'workspace'
        ? `packages/${target.name}/src/${target.path}.ts`
        : target.kind === 'file' && target.path
    const to = path ? toPlace(path) : undefined
    if (to === undefined || to.part !== from.part || to.folder === from.folder) return []
    return [{ from: from.folder, to: to.folder, file, line, specifier }]
  })
}

/** The folders that can be reached from `start` along the edges. */
function reach(start: string, next: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [start]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const to of next.get(folder) ?? []) {
      if (reached.has(to)) continue
      reached.add(to)
      open.push(to)
    }
  }
  return reached
}

/**
 * Imports between the sub-folders of one module, feature, package or app that are part of a cycle. Without cycles the
 * sub-folders have an order, so a reader knows which one to read first.
 */
export function checkFolderOrder(
  importsByFile: ReadonlyMap<string, readonly Import[]>,
): readonly Violation[] {
  const edges = [...importsByFile].flatMap(([file, imports]) => listEdges(file, imports))
  const next = new Map<string, Set<string>>()
  for (const { from, to } of edges) next.set(from, (next.get(from) ?? new Set()).add(to))
  const reached = new Map([...next.keys()].map((folder) => [folder, reach(folder, next)]))
  const count = (from: string, to: string): number =>
    edges.filter((edge) => edge.from === from && edge.to === to).length
  // If two folders import each other directly, only the direction with fewer imports is reported. In a longer cycle
  // every import is.
  const isReported = ({ from, to }: Edge): boolean => {
    const opposite = count(to, from)
    return opposite === 0 || count(from, to) <= opposite
  }
  return edges
    .filter((edge) => reached.get(edge.to)?.has(edge.from) && isReported(edge))
    .map(({ file, line, specifier }) => ({ file, line, rule: 'folder-order', found: `'${specifier}'` }))
}
